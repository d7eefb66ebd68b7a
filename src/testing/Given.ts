import type { Level } from "#domain/Level"
import { Api, type Reply } from "./Api.ts"
import { Seen } from "./Seen.ts"
import type { Transport } from "./Transport.ts"

/** Returns the response to a setup call. Throws unless its status is 201. */
const requireCreated = (reply: Reply): Reply => {
  if (reply.status !== 201) throw new Error(`A setup call failed: ${reply.status} ${reply.text}`)
  return reply
}

let count = 0

/** Returns a text that no other test in this process uses. */
export const uniqueText = (what: string): string => `${what}-${++count}`

/** A realm for one test, with helpers for creating its resources. Calls use the root key and name the realm. */
export class GivenRealm extends Api {
  readonly id: string
  /** The realm's events, with the names of `/v2`. */
  readonly seen: Seen
  /** The realm's events, with the names of `/v1`. */
  readonly seenV1: Seen
  readonly #keys = new Map<Level, string>()

  constructor(to: string | Transport, key: string, id: string) {
    super(to, key, id)
    this.id = id
    this.seen = new Seen(this)
    this.seenV1 = new Seen(this, "v1")
  }

  /** Returns a caller with an API key of this level that is locked to the realm. */
  async as(level: Exclude<Level, "admin_all_realms">): Promise<Api> {
    const known = this.#keys.get(level)
    if (known !== undefined) return new Api(this.transport, known)
    const reply = requireCreated(
      await this.post("/v2/api_keys", { api_key: { name: level, level, realm_id: this.id } })
    )
    const key = reply.string("key")
    this.#keys.set(level, key)
    return new Api(this.transport, key)
  }

  /** Creates a user. Without credentials in the attributes, the user has none. */
  async user(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const user = { email: `${uniqueText("user")}@example.test`, credentials: [], ...attributes }
    if ("password" in attributes) Reflect.deleteProperty(user, "credentials")
    return requireCreated(await this.post("/v2/users", { user }))
  }

  /** Creates an API user through `/v1`. */
  async apiUser(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return requireCreated(
      await this.post("/v1/users", { user: { user_type: "api", username: uniqueText("robot"), ...attributes } })
    )
  }

  async org(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return requireCreated(await this.post("/v2/orgs", { org: { name: uniqueText("Org"), ...attributes } }))
  }

  async membership(userId: string, orgId: string, attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const membership = { user_id: userId, org_id: orgId, ...attributes }
    return requireCreated(await this.post("/v2/memberships", { membership }))
  }

  /** Creates a provider. The default type is `oauth2`. */
  async authProvider(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const sso = "https://sso.example.test"
    const auth_provider = {
      provider_type: "oauth2",
      client_id: uniqueText("client"),
      client_secret: uniqueText("secret"),
      authorization_url: `${sso}/authorize`,
      token_url: `${sso}/token`,
      profile_url: `${sso}/profile`,
      ...attributes
    }
    return requireCreated(await this.post("/v2/auth_providers", { auth_provider }))
  }

  /** Creates a connected app through `/v2`. */
  async connectedApp(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const client_app = { name: uniqueText("App"), login_handler: "https://app.example.test/login", ...attributes }
    return requireCreated(await this.post("/v2/client_apps", { client_app }))
  }

  /** Creates an invitation. The default type is `org` with an `org_id`, otherwise `referral`. */
  async invitation(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const invitation_type = attributes["org_id"] === undefined ? "referral" : "org"
    const invitation = { invitation_type, email: `${uniqueText("guest")}@example.test`, ...attributes }
    return requireCreated(await this.post("/v2/invitations", { invitation }))
  }

  async session(userId: string): Promise<Reply> {
    return requireCreated(await this.post("/v2/sessions", { session: { user_id: userId } }))
  }
}

/** The starting point of a test: a caller with the root key, which can create realms. */
export class Given {
  readonly root: Api

  constructor(to: string | Transport, rootKey: string) {
    this.root = new Api(to, rootKey)
  }

  /** Creates a realm. The default algorithm is HS256, because generating an RSA key is slow. */
  async realm(settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> {
    const { transport, key = "" } = this.root
    const reply = requireCreated(
      await this.root.post("/v2/realms", { realm: { name: uniqueText("Realm"), jwt_algo: "hs256", ...settings } })
    )
    return new GivenRealm(transport, key, reply.id)
  }
}
