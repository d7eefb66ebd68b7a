import type { Given, GivenRealm } from "#testing/Given"
import { type Peer, peerSettings } from "./ExternalStub.ts"
import { had, latestEvent, slowHook } from "./Fixtures.ts"
import type { Walk } from "./OperationCoverage.ts"

type Version = "v1" | "v2"

/** Connected apps, as the version calls them. */
export const connectedApps = async (walk: Walk, realm: GivenRealm, version: Version): Promise<void> => {
  const [group, wrapper] = version === "v1" ? ["v1.login_policies", "login_policy"] : ["v2.client_apps", "client_app"]
  const known = await realm.connectedApp()
  await walk.visit(realm, `${group} list`, 200)
  await walk.visit(realm, `${group} get`, 200, { ids: [known.id] })
  const app = { name: "Acme Login", login_handler: "https://app.example.test/login" }
  const { id } = await walk.visit(realm, `${group} create`, 201, { body: { [wrapper]: app } })
  const change = { [wrapper]: { redirect_uris: ["https://app.example.test/account"] } }
  await walk.visit(realm, `${group} update`, 200, { ids: [id], body: change })
  await walk.visit(realm, `${group} delete`, 204, { ids: [id] })
}

/** Keys that sign tokens. */
export const jwtKeys = async (walk: Walk, realm: GivenRealm, version: Version): Promise<void> => {
  const made = await had(realm.post("/v2/jwt_keys", { jwt_key: { algo: "hs256", use: "sign" } }))
  await walk.visit(realm, `${version}.jwt_keys list`, 200)
  await walk.visit(realm, `${version}.jwt_keys get`, 200, { ids: [made.id] })
  const body = { jwt_key: { algo: "rs256", use: "sign" } }
  await walk.visit(realm, `${version}.jwt_keys create`, 201, { body })
  await walk.visit(realm, `${version}.jwt_keys delete`, 202, { ids: [made.id] })
}

/** Hooks, as the version calls them, and what they are told to do. */
export const hooks = async (walk: Walk, realm: GivenRealm, version: Version, { url }: Peer): Promise<void> => {
  const wrapper = version === "v1" ? "app_hook" : "hook"
  const known = await slowHook(realm, `${url}/known`)
  await walk.visit(realm, `${version}.hooks list`, 200, { query: "?hook_type=webhook" })
  await walk.visit(realm, `${version}.hooks get`, 200, { ids: [known.id] })
  const hook = { event_type: ["user.created"], destination: `${url}/hook`, realm_id: realm.id }
  const { id } = await walk.visit(realm, `${version}.hooks create`, 201, { body: { [wrapper]: hook } })
  await walk.visit(realm, `${version}.hooks update`, 200, { ids: [id], body: { [wrapper]: { delay: 5 } } })
  await walk.visit(realm, `${version}.hooks rotateSecret`, 200, { ids: [id], body: {} })
  await walk.visit(realm, `${version}.hooks ping`, 200, { ids: [id], body: {} })
  await walk.visit(realm, `${version}.hooks replay`, 202, { ids: [id], body: { since: 0 } })
  await walk.visit(realm, `${version}.hooks delete`, 204, { ids: [id] })
}

/** Providers of logins. */
export const authProviders = async (walk: Walk, realm: GivenRealm, version: Version, peer: Peer): Promise<void> => {
  await walk.visit(realm, `${version}.auth_providers list`, 200)
  await walk.visit(realm, `${version}.auth_providers get`, 200, { ids: ["password"] })
  const body = { auth_provider: peerSettings(peer) }
  const { id } = await walk.visit(realm, `${version}.auth_providers create`, 201, { body })
  const change = { auth_provider: { scopes: "openid email profile" } }
  await walk.visit(realm, `${version}.auth_providers update`, 200, { ids: [id], body: change })
  await walk.visit(realm, `${version}.auth_providers delete`, 204, { ids: [id] })
}

/** Keys of callers. */
export const apiKeys = async (walk: Walk, realm: GivenRealm, version: Version): Promise<void> => {
  const key = { name: "backend", level: "write", realm_id: realm.id }
  const known = await had(realm.post("/v2/api_keys", { api_key: key }))
  await walk.visit(realm, `${version}.api_keys list`, 200)
  await walk.visit(realm, `${version}.api_keys get`, 200, { ids: [known.id] })
  const { id } = await walk.visit(realm, `${version}.api_keys create`, 201, { body: { api_key: key } })
  await walk.visit(realm, `${version}.api_keys delete`, 204, { ids: [id] })
}

/** What has happened so far. */
export const events = async (walk: Walk, realm: GivenRealm, version: Version): Promise<void> => {
  await walk.visit(realm, `${version}.events list`, 200, { query: "?event_type=user.&direction=desc" })
  const { id } = await latestEvent(realm)
  await walk.visit(realm, `${version}.events get`, 200, { ids: [id] })
}

/** What hooks were told of one event: once more, and not at all. Only version 2 shows notifications. */
export const notifications = async (walk: Walk, given: Given, { url }: Peer): Promise<void> => {
  const realm = await given.realm()
  for (const path of ["/one", "/two"]) await slowHook(realm, url + path)
  await realm.org()
  const { id, notification } = await latestEvent(realm)
  const [over, waiting] = [notification(0), notification(1)]
  await had(realm.post(`/v2/events/${id}/notifications/${over}/cancel`, {}))
  await walk.visit(realm, "v2.events retry", 200, { ids: [id, over], body: {} })
  await walk.visit(realm, "v2.events cancel", 200, { ids: [id, waiting], body: {} })
}
