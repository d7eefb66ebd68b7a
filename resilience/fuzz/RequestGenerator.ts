import { type Chance, oddText, oddValue } from "./SeededRandom.ts"

/** A request as it is sent. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** One that was made of a document. `hosted`: of hosted login, and so for an app's host, without a key. */
export interface MadeRequest extends FuzzRequest {
  readonly hosted: boolean
}

/** An operation as the OpenAPI document has it. */
export interface Documented {
  readonly method: string
  readonly template: string
  readonly query: ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
  readonly body: unknown
  readonly hosted: boolean
}

const at = (value: unknown, ...way: ReadonlyArray<string>): unknown =>
  way.reduce<unknown>(
    (now, step) => (typeof now === "object" && now !== null ? Reflect.get(now, step) : undefined),
    value
  )

const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The operations of a document. */
export const documented = (document: unknown): ReadonlyArray<Documented> =>
  Object.entries(Object(at(document, "paths"))).flatMap(([template, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      query: listIn(at(operation, "parameters"))
        .filter((one) => at(one, "in") === "query")
        .map((one) => ({ name: String(at(one, "name")), schema: at(one, "schema") })),
      body: at(operation, "requestBody", "content", "application/json", "schema"),
      hosted: listIn(at(operation, "tags")).includes("hosted login")
    }))
  )

/** The ids that requests may name, by how they begin. They grow as things are made. */
export class Pool {
  readonly #ids = new Map<string, Array<string>>()

  add(id: string): void {
    const prefix = id.slice(0, id.indexOf("_") + 1)
    const known = this.#ids.get(prefix) ?? []
    // The newest are the likeliest to be there still.
    this.#ids.set(prefix, [...known, id].slice(-40))
  }

  /** An id of this beginning; undefined where there is none. */
  of(chance: Chance, prefix: string): string | undefined {
    return chance.of(this.#ids.get(prefix) ?? [])
  }
}

/** How the ids begin that a parameter or member of a name takes. */
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

/** Makes requests of a document. */
export class Requests {
  readonly #document: unknown
  readonly #operations: ReadonlyArray<Documented>
  readonly #makers: ReadonlyArray<Documented>
  readonly #own: string
  readonly #chance: Chance
  readonly #pool: Pool
  readonly #texts: Readonly<Record<string, () => unknown>>
  #count = 0

  /** `own` is the realm of the run. */
  constructor(document: unknown, chance: Chance, pool: Pool, own: string) {
    this.#own = own
    this.#document = document
    this.#operations = documented(document)
    this.#makers = this.#operations.filter(
      ({ method, template, hosted }) => method === "POST" && !template.includes("{") && !hosted
    )
    this.#chance = chance
    this.#pool = pool
    const fresh = (what: string) => () => `${what}-${++this.#count}`
    // Nobody is there, so that nothing waits for an answer from elsewhere.
    const nowhere = () => `http://127.0.0.1:1/${++this.#count}`
    this.#texts = {
      email: () => `fuzz-${++this.#count}@example.test`,
      password: () => "seven purple elephants",
      username: fresh("fuzzed"),
      name: fresh("Fuzzed"),
      subdomain: fresh("fuzzed"),
      user_type: () => this.#chance.of(["human", "api"]),
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
    if (name === "realm_id" && this.#chance.is(0.9)) return this.#own
    const prefix = prefixes[name.replace(/s$/, "")] ?? prefixes[name]
    return prefix === undefined ? undefined : this.#pool.of(this.#chance, prefix)
  }

  /** What a schema asks for, mostly. */
  #value(schema: unknown, name: string, depth = 0): unknown {
    const chance = this.#chance
    if (depth > 0 && chance.is(0.03)) return oddValue(chance)
    const reference = at(schema, "$ref")
    if (typeof reference === "string") {
      return this.#value(at(this.#document, ...reference.slice(2).split("/")), name, depth)
    }
    const known = this.#texts[name]
    if (known !== undefined) return known()
    const id = this.#idFor(name)
    if (id !== undefined) return name.endsWith("s") && chance.is(0.7) ? [id] : id
    const options = [...listIn(at(schema, "anyOf")), ...listIn(at(schema, "oneOf"))]
    if (options.length > 0) return this.#value(chance.of(options), name, depth)
    const choices = listIn(at(schema, "enum"))
    if (choices.length > 0) return chance.of(choices)
    switch (at(schema, "type")) {
      case "object":
        return this.#object(schema, depth)
      case "array":
        return Array.from({ length: chance.below(3) }, () => this.#value(at(schema, "items"), name, depth + 1))
      case "boolean":
        return chance.is(0.5)
      case "integer":
      case "number":
        return chance.below(2_000)
      case "null":
        return null
      default:
        return chance.is(0.5) ? chance.of(words) : `text ${chance.below(1_000)}`
    }
  }

  #object(schema: unknown, depth: number): unknown {
    const required = listIn(at(schema, "required"))
    const entries = Object.entries(Object(at(schema, "properties"))).filter(
      ([name]) => depth === 0 || required.includes(name) || this.#chance.is(0.4)
    )
    const made = Object.fromEntries(entries.map(([name, inner]) => [name, this.#value(inner, name, depth + 1)]))
    return this.#chance.is(0.03) ? { ...made, [oddText(this.#chance)]: oddValue(this.#chance) } : made
  }

  #path({ method, template, query }: Documented): string {
    const chance = this.#chance
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      // What is done to the realm of the run would end it, and what is deleted at once is of no use to anybody.
      const id = name === "realm_id" ? this.#pool.of(chance, "rl_") : this.#idFor(name)
      const useful =
        id !== undefined && (id !== this.#own || method === "GET") && (method !== "DELETE" || chance.is(0.3))
      return useful && chance.is(0.9) ? id : encodeURIComponent(oddText(chance).toWellFormed().slice(0, 300))
    })
    const asked = query
      .filter(() => chance.is(0.25))
      .map(({ name, schema }) => {
        const value = this.#value(schema, name)
        const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
        return `${name}=${encodeURIComponent(text.toWellFormed().slice(0, 2_000))}`
      })
    if (chance.is(0.05)) asked.push(chance.of(["%", "%ff=%ff", "a[]=1&a=2&a[b]=3", "=", "&&", "__proto__=1"]) ?? "")
    return asked.length === 0 ? path : `${path}?${asked.join("&")}`
  }

  #body(operation: Documented): Pick<FuzzRequest, "headers" | "body"> {
    const chance = this.#chance
    if (operation.body === undefined && chance.is(0.9)) return { headers: {}, body: undefined }
    const json = { "content-type": "application/json" }
    const good = JSON.stringify(this.#value(operation.body, "")) ?? ""
    if (chance.is(0.85)) return { headers: json, body: good }
    const kinds = ["cut", "deep", "type", "form", "changed"] as const
    switch (chance.of(kinds)) {
      case "cut":
        return { headers: json, body: good.slice(0, chance.below(good.length + 1)) }
      case "deep":
        return { headers: json, body: "[".repeat(20_000) }
      case "type":
        return { headers: { "content-type": chance.of(["text/plain", "application/xml", ""]) ?? "" }, body: good }
      case "form":
        return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "user[email]=%ff&a[b][c]=1&=" }
      default: {
        const place = chance.below(good.length + 1)
        return {
          headers: json,
          body: good.slice(0, place) + chance.of(['"', "}", ",", "\u0000", "9e9"]) + good.slice(place + 1)
        }
      }
    }
  }

  /** The next request. */
  next(): MadeRequest {
    const chance = this.#chance
    const operation = chance.of(chance.is(0.25) ? this.#makers : this.#operations)
    if (operation === undefined) throw new Error("The document holds no operation")
    const { headers, body } = this.#body(operation)
    const more: Array<[string, string]> = []
    if (chance.is(0.05)) more.push(["idempotency-key", chance.of(["once", "a".repeat(300), "once-more"]) ?? ""])
    if (chance.is(0.05)) more.push(["accept-language", chance.of(["es", ";;;", "q=1", "x".repeat(3_000)]) ?? ""])
    if (chance.is(0.03)) more.push(["x-service-realm", chance.of(["", "rl_nobody", "a, b"]) ?? ""])
    return {
      method: operation.method,
      path: this.#path(operation),
      headers: { ...headers, ...Object.fromEntries(more) },
      body,
      hosted: operation.hosted
    }
  }
}
