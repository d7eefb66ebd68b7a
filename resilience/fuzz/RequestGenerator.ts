import type { SeededRandom } from "../../test/harness/SeededRandom.ts"
import type { IdPool } from "./IdPool.ts"
import { at, type DocumentedOperation, listIn, operationsOf } from "./OpenApiDocument.ts"
import { unexpectedText, unexpectedValue } from "./UnexpectedValues.ts"

/** A request to send. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A generated request. `hosted`: whether it is a hosted login request, which is sent to an app's host without a key. */
export interface GeneratedRequest extends FuzzRequest {
  readonly hosted: boolean
}

/** The id prefix for a parameter or member, by its name. */
const prefixes: Readonly<Record<string, string>> = {
  realm_id: "rl_",
  user_id: "usr_",
  inviting_user_id: "usr_",
  session_id: "kss_",
  org_id: "org_",
  membership_id: "mb_",
  invitation_id: "nvt_",
  credential_id: "crd_",
  auth_provider_id: "ap_",
  key_id: "jky_",
  hook_id: "hk_",
  app_hook_id: "hk_",
  app_id: "lpl_",
  client_app_id: "lpl_",
  login_policy_id: "lpl_",
  token_id: "utk_",
  event_id: "ev_",
  provider: "ap_",
  notification_id: "ent_",
  api_key_id: "key_",
  after: "usr_"
}

const words = ["asc", "desc", "id", "name", "email", "active", "inactive", "custom", "memberships", "webhook", "oauth2"]

/** Generates requests from an OpenAPI document. */
export class RequestGenerator {
  readonly #document: unknown
  readonly #operations: ReadonlyArray<DocumentedOperation>
  readonly #makers: ReadonlyArray<DocumentedOperation>
  readonly #own: string
  readonly #random: SeededRandom
  readonly #pool: IdPool
  readonly #texts: Readonly<Record<string, () => unknown>>
  #count = 0

  /** `own`: the id of the run's realm. */
  constructor(document: unknown, random: SeededRandom, pool: IdPool, own: string) {
    this.#own = own
    this.#document = document
    this.#operations = operationsOf(document)
    this.#makers = this.#operations.filter(
      ({ method, template, hosted }) => method === "POST" && !template.includes("{") && !hosted
    )
    this.#random = random
    this.#pool = pool
    const fresh = (what: string) => () => `${what}-${++this.#count}`
    // Nothing listens on this port, so outbound calls fail immediately.
    const nowhere = () => `http://127.0.0.1:1/${++this.#count}`
    this.#texts = {
      email: () => `fuzz-${++this.#count}@example.test`,
      password: () => "seven purple elephants",
      username: fresh("fuzzed"),
      name: fresh("Fuzzed"),
      subdomain: fresh("fuzzed"),
      user_type: () => this.#random.pick(["human", "api"]),
      credentials: () => [],
      destination: nowhere,
      ...Object.fromEntries(
        ["authorization_url", "token_url", "profile_url", "redirect_uri"].map((name) => [name, nowhere])
      ),
      jwt_algo: () => "hs256",
      algo: () => "hs256",
      key: () => null
    }
  }

  #idFor(name: string): string | undefined {
    if (name === "realm_id" && this.#random.chance(0.9)) return this.#own
    const prefix = prefixes[name.replace(/s$/, "")] ?? prefixes[name]
    return prefix === undefined ? undefined : this.#pool.pick(this.#random, prefix)
  }

  /** Generates a value that usually conforms to the schema. */
  #value(schema: unknown, name: string, depth = 0): unknown {
    const random = this.#random
    if (depth > 0 && random.chance(0.03)) return unexpectedValue(random)
    const reference = at(schema, "$ref")
    if (typeof reference === "string") {
      return this.#value(at(this.#document, ...reference.slice(2).split("/")), name, depth)
    }
    const known = this.#texts[name]
    if (known !== undefined) return known()
    const id = this.#idFor(name)
    if (id !== undefined) return name.endsWith("s") && random.chance(0.7) ? [id] : id
    const options = [...listIn(at(schema, "anyOf")), ...listIn(at(schema, "oneOf"))]
    if (options.length > 0) return this.#value(random.pick(options), name, depth)
    const choices = listIn(at(schema, "enum"))
    if (choices.length > 0) return random.pick(choices)
    switch (at(schema, "type")) {
      case "object":
        return this.#object(schema, depth)
      case "array":
        return Array.from({ length: random.below(3) }, () => this.#value(at(schema, "items"), name, depth + 1))
      case "boolean":
        return random.chance(0.5)
      case "integer":
      case "number":
        return random.below(2_000)
      case "null":
        return null
      default:
        return random.chance(0.5) ? random.pick(words) : `text ${random.below(1_000)}`
    }
  }

  #object(schema: unknown, depth: number): unknown {
    const required = listIn(at(schema, "required"))
    const entries = Object.entries(Object(at(schema, "properties"))).filter(
      ([name]) => depth === 0 || required.includes(name) || this.#random.chance(0.4)
    )
    const made = Object.fromEntries(entries.map(([name, inner]) => [name, this.#value(inner, name, depth + 1)]))
    return this.#random.chance(0.03) ? { ...made, [unexpectedText(this.#random)]: unexpectedValue(this.#random) } : made
  }

  #path({ method, template, query }: DocumentedOperation): string {
    const random = this.#random
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      // The run's realm must not be changed, and most resources should exist long enough to be used.
      const id = name === "realm_id" ? this.#pool.pick(random, "rl_") : this.#idFor(name)
      const useful =
        id !== undefined && (id !== this.#own || method === "GET") && (method !== "DELETE" || random.chance(0.3))
      return useful && random.chance(0.9) ? id : encodeURIComponent(unexpectedText(random).toWellFormed().slice(0, 300))
    })
    const asked = query
      .filter(() => random.chance(0.25))
      .map(({ name, schema }) => {
        const value = this.#value(schema, name)
        const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
        return `${name}=${encodeURIComponent(text.toWellFormed().slice(0, 2_000))}`
      })
    if (random.chance(0.05))
      asked.push(random.pick(["%", "%ff=%ff", "a[]=1&a=2&a[b]=3", "=", "&&", "__proto__=1"]) ?? "")
    return asked.length === 0 ? path : `${path}?${asked.join("&")}`
  }

  #body(operation: DocumentedOperation): Pick<FuzzRequest, "headers" | "body"> {
    const random = this.#random
    if (operation.body === undefined && random.chance(0.9)) return { headers: {}, body: undefined }
    const json = { "content-type": "application/json" }
    const good = JSON.stringify(this.#value(operation.body, "")) ?? ""
    if (random.chance(0.85)) return { headers: json, body: good }
    const kinds = ["cut", "deep", "type", "form", "changed"] as const
    switch (random.pick(kinds)) {
      case "cut":
        return { headers: json, body: good.slice(0, random.below(good.length + 1)) }
      case "deep":
        return { headers: json, body: "[".repeat(20_000) }
      case "type":
        return { headers: { "content-type": random.pick(["text/plain", "application/xml", ""]) ?? "" }, body: good }
      case "form":
        return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "user[email]=%ff&a[b][c]=1&=" }
      default: {
        const place = random.below(good.length + 1)
        return {
          headers: json,
          body: good.slice(0, place) + random.pick(['"', "}", ",", "\u0000", "9e9"]) + good.slice(place + 1)
        }
      }
    }
  }

  /** Generates the next request. */
  next(): GeneratedRequest {
    const random = this.#random
    const operation = random.pick(random.chance(0.25) ? this.#makers : this.#operations)
    if (operation === undefined) throw new Error("The document contains no operation")
    const { headers, body } = this.#body(operation)
    const more: Array<[string, string]> = []
    if (random.chance(0.05)) more.push(["idempotency-key", random.pick(["once", "a".repeat(300), "once-more"]) ?? ""])
    if (random.chance(0.05)) more.push(["accept-language", random.pick(["es", ";;;", "q=1", "x".repeat(3_000)]) ?? ""])
    if (random.chance(0.03)) more.push(["x-service-realm", random.pick(["", "rl_nobody", "a, b"]) ?? ""])
    return {
      method: operation.method,
      path: this.#path(operation),
      headers: { ...headers, ...Object.fromEntries(more) },
      body,
      hosted: operation.hosted
    }
  }
}
