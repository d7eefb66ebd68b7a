import { type GivenRealm, uniqueText } from "#testing/Given"
import { withEmailCodes } from "./codes.ts"
import { codeAt } from "./credentials.ts"
import { providerToAsk, providerToTest } from "./externalCredentials.ts"
import { destination, pendingNotification } from "./hooks.ts"
import { authenticateV1, enrolled, OTHER_PASSWORD, PASSWORD } from "./logins.ts"
import { oauthClient } from "./oauth.ts"
import { storedClient, storedConsent, storedGrant } from "./oauthGrants.ts"
import { type Operation, operationNamed, pathOf } from "./operations.ts"
import { readyPasskey } from "./passkeys.ts"
import { query, tablesWith } from "./query.ts"
import { workerSql } from "./sallyport.ts"

type Attributes = Readonly<Record<string, unknown>>

/**
 * One body per wrapper that is valid for every operation with that wrapper. These bodies are the only sample data of
 * the generated tests.
 */
const samples: Readonly<Record<string, (realm: GivenRealm, thing: string | undefined) => Promise<Attributes>>> = {
  realm: async () => ({ name: uniqueText("Realm"), jwt_algo: "hs256" }),
  // `token` is explicitly null, because a signup token would take precedence over everything else.
  user: async () => ({
    user_type: "human",
    username: uniqueText("person"),
    email: `${uniqueText("user")}@example.test`,
    credentials: [],
    token: null
  }),
  user_token: async () => ({
    username: uniqueText("newcomer"),
    email: `${uniqueText("newcomer")}@example.test`,
    password: "correct horse battery"
  }),
  org: async () => ({ name: uniqueText("Org") }),
  membership: async (realm) => ({ user_id: (await realm.user()).id, org_id: (await realm.org()).id, permissions: [] }),
  domain: async (realm) => ({ org_id: (await realm.org()).id, domain: `${uniqueText("acme")}.com` }),
  invitation: async (realm) => ({
    invitation_type: "org",
    email: `${uniqueText("guest")}@example.test`,
    org_id: (await realm.org()).id,
    permissions: []
  }),
  session: async (realm) => ({ user_id: (await realm.user()).id }),
  credential: async (realm) => ({
    user_id: (await realm.user()).id,
    credential_type: "totp",
    name: uniqueText("Device")
  }),
  auth_provider: async () => ({
    provider_type: "oauth2",
    client_id: uniqueText("client"),
    client_secret: "secret",
    authorization_url: "https://sso.example.test/authorize",
    token_url: "https://sso.example.test/token",
    profile_url: "https://sso.example.test/profile"
  }),
  // `key` is explicitly null, so that a key is generated even if a test sends ignored members.
  jwt_key: async () => ({ algo: "hs256", use: "sign", key: null }),
  hook: async (realm) => ({ realm_id: realm.id, event_type: [], destination: destination() }),
  app_hook: async (realm) => ({ realm_id: realm.id, event_type: [], destination: destination() }),
  login_policy: async () => ({ name: uniqueText("App"), login_handler: "https://app.example.test/login" }),
  client_app: async () => ({ name: uniqueText("App"), login_handler: "https://app.example.test/login" }),
  api_key: async (realm) => ({ name: uniqueText("Key"), level: "read", realm_id: realm.id }),
  operator: async (realm) => ({
    email: `${uniqueText("operator")}@example.test`,
    role: "viewer",
    realm_id: realm.id,
    send_email: false
  }),
  console: async () => ({ api_keys: true })
}

const withPassword = (realm: GivenRealm, user: string) =>
  realm.put(`/v2/users/${user}`, { user: { password: PASSWORD } })

const updatePassword = async (realm: GivenRealm, user: string) => {
  await withPassword(realm, user)
  return { user: { current_password: PASSWORD, password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD } }
}

/** Connects an app, because a passkey requires a page. */
const withPage = async (realm: GivenRealm): Promise<Attributes> => {
  await realm.connectedApp()
  return {}
}

/** Enables emailed codes, which are disabled in a new realm. */
const withCodes = async (realm: GivenRealm): Promise<Attributes> => {
  await withEmailCodes(realm)
  return {}
}

/** The bodies with which this user logs in, including the necessary preparations. */
const proofs: Readonly<Record<string, (realm: GivenRealm, user: string) => Promise<Attributes>>> = {
  "v1.logins authenticate": async (realm, user) => {
    await withPassword(realm, user)
    return { password: PASSWORD }
  },
  "v2.logins authenticate": async (realm, user) => {
    await withPassword(realm, user)
    return { user: { password: PASSWORD } }
  },
  "v1.logins authenticate_code": async (realm, user) => {
    await withPassword(realm, user)
    const device = await enrolled(realm, user)
    return { user: { token: (await authenticateV1(realm, user)).string("token"), code: device.code() } }
  },
  "v1.logins reset_password_with_token": async (realm, user) => {
    const asked = await realm.post(`/v1/users/${user}/generate_password_token`, {})
    return { user: { token: asked.string("password_reset_token"), password: OTHER_PASSWORD } }
  },
  "v1.logins verify_email": async (realm, user) => {
    const asked = await realm.post(`/v1/users/${user}/request_email_verification`, {})
    return { user: { token: asked.string("token") } }
  },
  "v1.external_authentication authenticate_token": providerToAsk,
  "v2.external_authentication authenticate_token": providerToAsk,
  "v2.auth_providers test": providerToTest,
  "v1.logins passkey_options": withPage,
  "v2.logins passkey_options": withPage,
  "v1.logins send_code": withCodes,
  "v2.logins send_code": withCodes,
  "v1.logins update_password": updatePassword,
  "v2.logins update_password": updatePassword
}
/** An invitation that a user can accept. */
const ofInvitation = async (realm: GivenRealm): Promise<Attributes> => ({
  token: (await realm.invitation()).string("token")
})

/** The current code of an authenticator app. */
const ofApp: (typeof samples)[string] = async (realm, thing) => ({
  code: thing === undefined ? "000000" : codeAt((await realm.get(`/v2/credentials/${thing}`)).string("otp_secret"))
})

const byPasskey = async (realm: GivenRealm): Promise<Attributes> => (await readyPasskey(realm)).attributes

/** The attributes of operations for which the sample body of their wrapper is invalid. */
const samplesOf: typeof samples = {
  "v2.hooks preview": async (realm) => ({
    realm_id: realm.id,
    event_type: ["user.updated"],
    email_subject: "Changed",
    email_template: "Hello"
  }),
  "v1.credentials verify": ofApp,
  "v2.credentials verify": ofApp,
  "v2.users accept_invitation": ofInvitation,
  "v1.logins authenticate_passkey": byPasskey,
  "v2.logins authenticate_passkey": byPasskey
}

/**
 * A valid body for an operation in a realm and, if it matters, for this resource. Returns undefined if the operation
 * takes no body.
 */
export const bodyOf = async ({ method, wrapper, name }: Operation, realm: GivenRealm, thing?: string) => {
  const proof = thing === undefined ? undefined : proofs[name]
  if (thing !== undefined && proof !== undefined) return proof(realm, thing)
  if (name.endsWith("hooks replay")) return { since: 0 }
  if (name.endsWith("passkey_login_options")) return withPage(realm)
  if (wrapper === undefined) return method === "POST" || method === "PUT" ? {} : undefined
  const sample = samplesOf[name] ?? samples[wrapper]
  if (sample === undefined) throw new Error(`${name}: give test/support/resources.ts a body for "${wrapper}"`)
  return { [wrapper]: await sample(realm, thing) }
}

/** The id of a new resource for an operation, in a realm. */
export const resourceFor = async ({ version, resource, name }: Operation, realm: GivenRealm): Promise<string> => {
  if (["realms", "imports", "exports"].includes(resource)) return realm.id
  if (name === "v2.events retry" || name === "v2.events cancel") return notificationFor(name, realm)
  if (resource === "notifications") {
    const { hook, id } = await pendingNotification(realm)
    return name.endsWith("OfHook") ? hook.id : `${hook.id} ${id}`
  }
  if (resource === "grants") return newGrant(realm)
  if (resource === "login_apps") return (await realm.connectedApp()).id
  if (/apps rotateSecret|policies rotateSecret/.test(name)) return (await oauthClient(realm)).id
  if (resource === "consents") return newConsent(realm)
  const subject = resource === "external_authentication" ? "auth_providers" : resource
  const create = operationNamed(`${version}.${subject} create`) ?? operationNamed(`v2.${subject} create`)
  if (create !== undefined) {
    const made = await realm.post(create.template, await bodyOf(create, realm))
    if (made.status !== 201) throw new Error(`${create.name}: ${made.status} ${made.text}`)
    return made.id
  }
  const [first] = (await realm.get(`/${version}/${resource}`)).items
  if (typeof first?.["id"] === "string") return first["id"]
  throw new Error(`${name}: the realm has none`)
}

/** A grant of a new user to a new client. */
const newGrant = async (realm: GivenRealm): Promise<string> => {
  const sql = await workerSql()
  return storedGrant(sql, realm, await storedClient(sql, realm), (await realm.user()).id)
}

/** A consent of a new user to a new client. */
const newConsent = async (realm: GivenRealm): Promise<string> => {
  const sql = await workerSql()
  return storedConsent(sql, realm, await storedClient(sql, realm), (await realm.user()).id)
}

/** The path of a list. For notifications, the list of one of the realm's hooks. */
export const listPath = async (operation: Operation, realm: GivenRealm): Promise<string> => {
  if (operation.params.length === 0) return operation.template
  const [hook] = (await realm.get(`/v2/hooks?realm_id=${realm.id}&max_results=1`)).items
  return pathOf(operation, () => String(hook?.["id"]))
}

/** The path of a list, and the id of an item to start after. */
export const listedFor = async (operation: Operation, realm: GivenRealm) => {
  if (operation.resource !== "notifications")
    return { path: operation.template, id: await resourceFor(operation, realm) }
  const { hook, id } = await pendingNotification(realm)
  return { path: pathOf(operation, () => hook.id), id }
}

/** The ids of an event and of a notification that can be retried or canceled. */
const notificationFor = async (name: string, realm: GivenRealm): Promise<string> => {
  const { eventId, id } = await pendingNotification(realm)
  if (name === "v2.events retry") await realm.post(`/v2/events/${eventId}/notifications/${id}/cancel`, {})
  return `${eventId} ${id}`
}

/** An id of the same kind that doesn't exist. */
export const unknownIdLike = (id: string): string => `${id.slice(0, -8)}zzzzzzzz`

/** The filter that a list requires. */
export const filterOf = async ({ resource }: Operation, realm: GivenRealm): Promise<string> =>
  resource === "memberships" ? `user_id=${(await realm.user()).id}&` : ""

let tables: ReadonlyArray<string> | undefined

/** Every row of some realms, table by table, for detecting changes. The time of a key's last use is ignored. */
export const snapshotOf = async (...realms: ReadonlyArray<GivenRealm>): Promise<unknown> => {
  const sql = await workerSql()
  tables ??= await tablesWith(sql, "realm_id")
  const ids = realms.map(({ id }) => id)
  const rows = tables.map(
    (name) => sql`select ${name}::text as name, (select jsonb_agg(to_jsonb(t) - 'last_used_at' order by t::text)
      from ${sql(name)} t where ${sql.in("realm_id", ids)}) as rows`
  )
  const own = sql`select 'realms' as name, (select jsonb_agg(to_jsonb(r) order by id) from realms r
    where ${sql.in("id", ids)}) as rows`
  return query(sql`${sql.join(" union all ", false)([...rows, own])}`)
}
