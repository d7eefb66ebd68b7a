import type { Level } from "#domain/Caller"
import { Api, type Reply } from "./Api.ts"
import { Seen } from "./Seen.ts"

/** Demands that a preparation worked. */
const made = (reply: Reply): Reply => {
  if (reply.status !== 201) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
  return reply
}

let count = 0

/** Text that no other test uses. */
export const unique = (what: string): string => `${what}-${++count}`

/** A realm for one test, and what a test prepares in it. Its calls are made with a root key that names the realm. */
export class GivenRealm extends Api {
  readonly id: string
  readonly seen: Seen
  /** The same as `/v1` reads it. */
  readonly seenV1: Seen
  readonly #keys = new Map<Level, string>()

  constructor(url: string, key: string, id: string) {
    super(url, key, id)
    this.id = id
    this.seen = new Seen(this)
    this.seenV1 = new Seen(this, "v1")
  }

  /** A caller whose key is locked to this realm, of a level. */
  async as(level: Exclude<Level, "admin_all_realms">): Promise<Api> {
    const known = this.#keys.get(level)
    if (known !== undefined) return new Api(this.url, known)
    const reply = made(await this.post("/v2/api_keys", { api_key: { name: level, level, realm_id: this.id } }))
    const key = reply.string("key")
    this.#keys.set(level, key)
    return new Api(this.url, key)
  }

  /** A user without credentials, unless the attributes say otherwise. */
  async user(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const user = { email: `${unique("user")}@example.test`, credentials: [], ...attributes }
    if ("password" in attributes) Reflect.deleteProperty(user, "credentials")
    return made(await this.post("/v2/users", { user }))
  }

  /** An api user, as `/v1` shows it. */
  async apiUser(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return made(await this.post("/v1/users", { user: { user_type: "api", username: unique("robot"), ...attributes } }))
  }

  async org(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return made(await this.post("/v2/orgs", { org: { name: unique("Org"), ...attributes } }))
  }

  async membership(userId: string, orgId: string, attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const membership = { user_id: userId, org_id: orgId, ...attributes }
    return made(await this.post("/v2/memberships", { membership }))
  }

  /** A provider of type `oauth2`, unless the attributes say otherwise. */
  async authProvider(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const sso = "https://sso.example.test"
    const auth_provider = {
      provider_type: "oauth2",
      client_id: unique("client"),
      client_secret: unique("secret"),
      authorization_url: `${sso}/authorize`,
      token_url: `${sso}/token`,
      profile_url: `${sso}/profile`,
      ...attributes
    }
    return made(await this.post("/v2/auth_providers", { auth_provider }))
  }

  /** A connected app, as `/v2` shows it. */
  async connectedApp(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const client_app = { name: unique("App"), login_handler: "https://app.example.test/login", ...attributes }
    return made(await this.post("/v2/client_apps", { client_app }))
  }

  /** An invitation of type `referral`, or of type `org` to one, unless the attributes say otherwise. */
  async invitation(attributes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const invitation_type = attributes["org_id"] === undefined ? "referral" : "org"
    const invitation = { invitation_type, email: `${unique("guest")}@example.test`, ...attributes }
    return made(await this.post("/v2/invitations", { invitation }))
  }

  async session(userId: string): Promise<Reply> {
    return made(await this.post("/v2/sessions", { session: { user_id: userId } }))
  }
}

/** What tests begin with. */
export class Given {
  readonly root: Api

  constructor(url: string, rootKey: string) {
    this.root = new Api(url, rootKey)
  }

  /** A new realm. HS256 unless told otherwise: an RSA key takes its time to be made. */
  async realm(settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> {
    const { url, key = "" } = this.root
    const reply = made(
      await this.root.post("/v2/realms", { realm: { name: unique("Realm"), jwt_algo: "hs256", ...settings } })
    )
    return new GivenRealm(url, key, reply.id)
  }
}
