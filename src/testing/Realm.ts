import { Settings } from "#api/apps/Fields"
import { newUserFieldsV2, OrgInput } from "#api/provisioning/Fields"
import { payload } from "#api/realms/Fields"
import { newUserMemberships } from "#api/users/Fields"
import { requestAttributes } from "#api/Wire"
import {
  type ConnectedApp,
  type CreateAuthProvider,
  type CreateClientApp,
  type CreateRealm,
  type CreateUser,
  Sallyport,
  type Session,
  type User
} from "#client/Client"
import type { ExternalType } from "#domain/AuthProvider"
import { nearestName } from "#domain/NearestName"
import { Api, type Reply } from "./Api.ts"
import { callerError } from "./CallerError.ts"
import type { FakeProvider } from "./FakeProvider.ts"
import type { FakeProviders } from "./FakeProviders.ts"
import type { Transport } from "./Transport.ts"

/** A session with its token, as an app receives it. */
export interface TestLogin extends Session {
  readonly token: string
}

/** A connected app with the URL of its login page. */
export interface TestApp extends ConnectedApp {
  readonly login_url: string
}

/** A realm for one test. It contains only resources that the test creates. */
export interface TestRealm {
  readonly id: string
  /** An API key of level `admin_realm`, locked to this realm. */
  readonly key: string
  /** An SDK client with this key, for example `realm.sallyport.orgs.create({ name: "Acme" })`. */
  readonly sallyport: Sallyport
  /** Creates a user. By default, the user has a unique email and no password. To set a password, pass `{ password: "…" }`. */
  user(attributes?: CreateUser): Promise<User>
  /** Logs a user in without a password, and returns a session with its token, as an app would receive it. Default: a new user. */
  login(user?: { readonly id: string }): Promise<TestLogin>
  /** Creates a connected app. The default `login_handler` is `https://app.example.com/callback`. */
  app(attributes?: Partial<CreateClientApp>): Promise<TestApp>
  /** Sets up a social login provider in this realm, and returns the fake provider, like the service's `provider()`. */
  provider(type: ExternalType, attributes?: Partial<CreateAuthProvider>): Promise<FakeProvider>
  /**
   * Calls any URL of the service with this realm's key. `body` is sent as JSON. Returns the response for every status, without
   * throwing.
   */
  call(method: string, path: string, body?: unknown): Promise<Reply>
}

/** The services needed to create realms. */
interface Place {
  readonly url: string
  readonly transport: Transport
  readonly key: string
  readonly publicUrl: string
  readonly providers: FakeProviders
}

let count = 0

/** The members that each kind of resource accepts. */
const members = {
  realm: Object.keys(payload.fields.realm.fields),
  user: Object.keys({ ...newUserFieldsV2, ...newUserMemberships(OrgInput), ...requestAttributes }),
  app: Object.keys({ ...Settings.fields, ...requestAttributes })
}

const what = { realm: "A realm has no setting", user: "A user has no member", app: "An app has no setting" }

/** Rejects unknown members. The service would ignore them, and the test would not test what it claims to test. */
const requireKnown = (
  kind: keyof typeof members,
  attributes: object,
  called: (...args: ReadonlyArray<never>) => unknown
): void => {
  const known = members[kind]
  const unknown = Object.keys(attributes).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const hint = nearest === undefined ? `They are: ${known.join(", ")}.` : `Did you mean ${nearest}?`
  throw callerError(`${what[kind]} ${unknown}. ${hint}`, called)
}

/** Creates a realm with these settings and, by default, a unique name. */
export const createRealm = async (place: Place, settings: Partial<CreateRealm>): Promise<TestRealm> => {
  const { request, ...attributes } = settings
  requireKnown("realm", attributes, createRealm)
  const { url, transport, publicUrl, providers } = place
  const root = new Api(transport, place.key)
  const create = async (path: string, body: unknown): Promise<Reply> => {
    const reply = await root.post(path, body)
    if (reply.status === 201) return reply
    throw callerError(`The realm was rejected with ${reply.status}: ${String(reply.errors)}`, createRealm)
  }
  const realm = { ...attributes, name: attributes.name ?? `Realm ${++count}` }
  const { id } = await create("/v2/realms", { realm, request })
  const issued = await create("/v2/api_keys", { api_key: { name: "Tests", level: "admin_realm", realm_id: id } })
  const key = issued.string("key")
  const sallyport = new Sallyport({ url, key })
  const api = new Api(transport, key)

  const user = async (attributes: CreateUser = {}): Promise<User> => {
    requireKnown("user", attributes, user)
    const credentials = attributes.password === undefined ? { credentials: [] } : {}
    return sallyport.users.create({ email: `user-${++count}@example.com`, ...credentials, ...attributes })
  }

  return {
    id,
    key,
    sallyport,
    user,
    login: async (whom) => sallyport.sessions.create({ user_id: (whom ?? (await user())).id }),
    app: async (attributes = {}) => {
      requireKnown("app", attributes, createRealm)
      const login_handler = "https://app.example.com/callback"
      const app = await sallyport.clientApps.create({ name: `App ${++count}`, login_handler, ...attributes })
      const { protocol, port } = new URL(publicUrl)
      const host = `${app.domains[0] ?? ""}${port === "" ? "" : `:${port}`}`
      return { ...app, login_url: `${protocol}//${host}/login` }
    },
    provider: async (type, attributes = {}) => {
      const provider = providers.of(type)
      await sallyport.authProviders.create({ ...provider.settings, ...attributes })
      return provider
    },
    call: (method, path, body) => api.call(method, path, body === undefined ? {} : { body })
  }
}
