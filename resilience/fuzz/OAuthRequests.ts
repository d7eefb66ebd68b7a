import { oauthEndpoints } from "#domain/oauth/OAuthPaths"
import type { SeededRandom } from "../../test/harness/SeededRandom.ts"
import type { FuzzRequest } from "./RequestGenerator.ts"
import { unexpectedText } from "./UnexpectedValues.ts"

/** The existing values of a realm that requests can use. */
export interface OAuthWorld {
  readonly realm: string
  readonly client: string
  readonly secret: string
  readonly redirectUri: string
  /** Codes and tokens issued by the service. Some are valid, others used up. */
  readonly tokens: Array<string>
}

const FORM = "application/x-www-form-urlencoded"

/** The parameters of all endpoints, with possible values. */
const parameters: Readonly<Record<string, (world: OAuthWorld) => ReadonlyArray<string>>> = {
  client_id: ({ client }) => [client],
  client_secret: ({ secret }) => [secret],
  redirect_uri: ({ redirectUri }) => [redirectUri],
  response_type: () => ["code", "token", "code id_token", "none"],
  response_mode: () => ["query", "form_post", "fragment"],
  scope: () => ["openid", "openid profile email offline_access orgs", "openid openid", "nothing"],
  state: () => ["a-state"],
  nonce: () => ["a-nonce"],
  prompt: () => ["none", "login", "consent", "select_account", "none login"],
  max_age: () => ["0", "1", "-1", "99999999999999999999"],
  claims: () => ['{"userinfo":{"name":null}}', "{", '{"id_token":{"sub":{"value":"x"}}}', "[]"],
  request: () => ["e30.e30."],
  request_uri: () => ["urn:ietf:params:oauth:request_uri:oar_x", "https://127.0.0.1:1/"],
  code_challenge: () => ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "short"],
  code_challenge_method: () => ["S256", "plain"],
  login_hint: () => ["jo@example.test"],
  id_token_hint: ({ tokens }) => tokens,
  acr_values: () => ["1 2"],
  ui_locales: () => ["es en"],
  resource: () => ["https://api.example.test/", "https://api.example.test/#x", "nothing"],
  org_id: () => ["org_00000000000000000000000000"],
  grant_type: () => [
    "authorization_code",
    "refresh_token",
    "client_credentials",
    "urn:ietf:params:oauth:grant-type:device_code",
    "password"
  ],
  code: ({ tokens }) => tokens,
  code_verifier: () => ["dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"],
  refresh_token: ({ tokens }) => tokens,
  device_code: ({ tokens }) => tokens,
  user_code: () => ["BCDF-GHJK"],
  token: ({ tokens }) => tokens,
  token_type_hint: () => ["access_token", "refresh_token", "id_token"],
  access_token: ({ tokens }) => tokens,
  client_assertion: () => ["e30.e30.e30"],
  client_assertion_type: () => ["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
  dpop_jkt: () => ["0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"],
  post_logout_redirect_uri: ({ redirectUri }) => [redirectUri],
  logout_hint: () => ["jo@example.test"]
}

const names = Object.keys(parameters)

/** The parameters that each endpoint checks first. */
const wanted: Readonly<Record<string, ReadonlyArray<string>>> = {
  authorize: ["client_id", "redirect_uri", "response_type", "scope", "code_challenge", "code_challenge_method"],
  par: ["client_id", "client_secret", "redirect_uri", "response_type", "code_challenge", "code_challenge_method"],
  token: ["client_id", "client_secret", "grant_type", "code", "refresh_token", "redirect_uri"],
  userinfo: ["access_token"],
  introspect: ["client_id", "client_secret", "token"],
  revoke: ["client_id", "client_secret", "token"],
  device_authorization: ["client_id", "client_secret", "scope"],
  end_session: ["id_token_hint", "post_logout_redirect_uri"],
  register: []
}

const methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"] as const
const types = [FORM, `${FORM}; charset=utf-16`, "application/json", "multipart/form-data; boundary=x", "text/plain", ""]

/** Generates requests to a realm's OAuth endpoints: nearly valid ones and unexpected ones. */
export class OAuthRequests {
  readonly #random: SeededRandom
  readonly #world: OAuthWorld

  constructor(random: SeededRandom, world: OAuthWorld) {
    this.#random = random
    this.#world = world
  }

  #value(name: string): string {
    const random = this.#random
    if (random.chance(0.3)) return unexpectedText(random)
    return random.pick(parameters[name]?.(this.#world) ?? []) ?? ""
  }

  /** Serializes parameters. Some are repeated, and some are encoded incorrectly. */
  #encoded(suffix: string): string {
    const random = this.#random
    const chosen = (wanted[suffix] ?? []).filter(() => random.chance(0.9))
    while (random.chance(0.5)) chosen.push(random.pick(names) ?? "")
    if (random.chance(0.1)) chosen.push(...chosen)
    const parts = chosen.map((name) => {
      // A lone surrogate can't be encoded.
      const value = this.#value(name).toWellFormed()
      return `${name}=${random.chance(0.05) ? value.replaceAll(/[\s#\r\n]/g, "%") : encodeURIComponent(value)}`
    })
    if (random.chance(0.03)) parts.push(random.pick(["%zz=%", "=", "&&", "a", "__proto__=1", "scope[]=openid"]) ?? "")
    return parts.join("&")
  }

  #headers(): Record<string, string> {
    const random = this.#random
    const { client, secret, tokens } = this.#world
    const word = () => Buffer.from(unexpectedText(random).slice(0, 2_000)).toString("base64")
    const basic = `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`
    const authorization = random.pick([
      undefined,
      basic,
      basic,
      `Basic ${word()}`,
      `Bearer ${random.pick(tokens) ?? ""}`,
      `Bearer ${word()}`,
      `DPoP ${random.pick(tokens) ?? ""}`,
      "Basic",
      `basic ${word()},${word()}`
    ])
    const dpop = random.chance(0.1) ? { dpop: random.pick([word(), "e30.e30.e30", "a.b"]) ?? "" } : {}
    return { ...(authorization === undefined ? {} : { authorization }), ...dpop }
  }

  /** Generates the next request. */
  next(): FuzzRequest {
    const random = this.#random
    const { suffix, methods: usual } = random.pick(Object.values(oauthEndpoints)) ?? oauthEndpoints.token
    const method = random.chance(0.95) ? (random.pick<string>(usual) ?? "GET") : (random.pick(methods) ?? "GET")
    const realm = random.chance(0.97)
      ? this.#world.realm
      : encodeURIComponent(unexpectedText(random).toWellFormed().slice(0, 200))
    const path = `/realms/${realm}/${suffix}`
    const headers = this.#headers()
    const sent = this.#encoded(suffix)
    const inQuery = method === "GET" || method === "HEAD" || random.chance(0.05)
    // Longer URLs are rejected before any parsing.
    const query = inQuery && sent !== "" ? `?${sent.replaceAll(/[^\x21-\x7e]/g, "%").slice(0, 12_000)}` : ""
    if (method === "GET" || method === "HEAD") return { method, path: path + query, headers, body: undefined }
    const type = random.chance(0.93) ? FORM : (random.pick(types) ?? FORM)
    const body =
      suffix === "register" ? JSON.stringify({ redirect_uris: [this.#value("redirect_uri")], extra: sent }) : sent
    const typed = suffix === "register" && random.chance(0.9) ? "application/json" : type
    return { method, path: path + query, headers: typed === "" ? headers : { ...headers, "content-type": typed }, body }
  }
}
