import type { Given, GivenRealm } from "#testing/Given"
import { type ExternalStub, providerSettings } from "./ExternalStub.ts"
import { delayedHook, expectSuccess, latestEvent } from "./Fixtures.ts"
import type { OperationCoverage } from "./OperationCoverage.ts"

type Version = "v1" | "v2"

/** Connected apps: `login_policies` in v1, `client_apps` in v2. */
export const connectedApps = async (
  coverage: OperationCoverage,
  realm: GivenRealm,
  version: Version
): Promise<void> => {
  const [group, wrapper] = version === "v1" ? ["v1.login_policies", "login_policy"] : ["v2.client_apps", "client_app"]
  const known = await realm.connectedApp()
  await coverage.call(realm, `${group} list`, 200)
  await coverage.call(realm, `${group} get`, 200, { ids: [known.id] })
  if (version === "v2") await coverage.call(realm, "v2.client_apps brand", 200, { ids: [known.id] })
  const app = { name: "Acme Login", login_handler: "https://app.example.test/login" }
  const { id } = await coverage.call(realm, `${group} create`, 201, { body: { [wrapper]: app } })
  const change = { [wrapper]: { redirect_uris: ["https://app.example.test/account"] } }
  await coverage.call(realm, `${group} update`, 200, { ids: [id], body: change })
  const client = { name: "Tour", client_type: "machine", realm_id: realm.id }
  const made = await expectSuccess(realm.post("/v2/client_apps", { client_app: client }))
  await coverage.call(realm, `${group} rotateSecret`, 200, { ids: [made.id], body: {} })
  await coverage.call(realm, `${group} delete`, 204, { ids: [id] })
}

/** JWT keys. */
export const jwtKeys = async (coverage: OperationCoverage, realm: GivenRealm, version: Version): Promise<void> => {
  const made = await expectSuccess(realm.post("/v2/jwt_keys", { jwt_key: { algo: "hs256", use: "sign" } }))
  await coverage.call(realm, `${version}.jwt_keys list`, 200)
  await coverage.call(realm, `${version}.jwt_keys get`, 200, { ids: [made.id] })
  const body = { jwt_key: { algo: "rs256", use: "sign" } }
  await coverage.call(realm, `${version}.jwt_keys create`, 201, { body })
  await coverage.call(realm, `${version}.jwt_keys delete`, 202, { ids: [made.id] })
}

/** Hooks: `app_hooks` in v1, `hooks` in v2. */
export const hooks = async (
  coverage: OperationCoverage,
  realm: GivenRealm,
  version: Version,
  { url }: ExternalStub
): Promise<void> => {
  const wrapper = version === "v1" ? "app_hook" : "hook"
  const known = await delayedHook(realm, `${url}/known`)
  await coverage.call(realm, `${version}.hooks list`, 200, { query: "?hook_type=webhook" })
  await coverage.call(realm, `${version}.hooks get`, 200, { ids: [known.id] })
  const hook = { event_type: ["user.created"], destination: `${url}/hook`, realm_id: realm.id }
  const { id } = await coverage.call(realm, `${version}.hooks create`, 201, { body: { [wrapper]: hook } })
  await coverage.call(realm, `${version}.hooks update`, 200, { ids: [id], body: { [wrapper]: { delay: 5 } } })
  await coverage.call(realm, `${version}.hooks rotateSecret`, 200, { ids: [id], body: {} })
  await coverage.call(realm, `${version}.hooks ping`, 200, { ids: [id], body: {} })
  const mail = {
    realm_id: realm.id,
    event_type: "user.updated",
    email_subject: "Hello",
    email_template: "{{full_name}}"
  }
  if (version === "v2") await coverage.call(realm, "v2.hooks preview", 200, { body: { hook: mail } })
  const replayed = { since: 0, event_type: "user.", dry_run: version === "v2" }
  await coverage.call(realm, `${version}.hooks replay`, 202, { ids: [id], body: replayed })
  await coverage.call(realm, `${version}.hooks delete`, 204, { ids: [id] })
}

/** Auth providers. */
export const authProviders = async (
  coverage: OperationCoverage,
  realm: GivenRealm,
  version: Version,
  stub: ExternalStub
): Promise<void> => {
  await coverage.call(realm, `${version}.auth_providers list`, 200)
  await coverage.call(realm, `${version}.auth_providers get`, 200, { ids: ["password"] })
  const body = { auth_provider: providerSettings(stub) }
  const { id } = await coverage.call(realm, `${version}.auth_providers create`, 201, { body })
  const change = { auth_provider: { scopes: "openid email profile" } }
  await coverage.call(realm, `${version}.auth_providers update`, 200, { ids: [id], body: change })
  if (version === "v2") await coverage.call(realm, "v2.auth_providers test", 200, { ids: [id], body: {} })
  await coverage.call(realm, `${version}.auth_providers delete`, 204, { ids: [id] })
}

/** API keys. */
export const apiKeys = async (coverage: OperationCoverage, realm: GivenRealm, version: Version): Promise<void> => {
  const key = { name: "backend", level: "write", realm_id: realm.id }
  const known = await expectSuccess(realm.post("/v2/api_keys", { api_key: key }))
  await coverage.call(realm, `${version}.api_keys list`, 200)
  await coverage.call(realm, `${version}.api_keys get`, 200, { ids: [known.id] })
  const { id } = await coverage.call(realm, `${version}.api_keys create`, 201, { body: { api_key: key } })
  await coverage.call(realm, `${version}.api_keys delete`, 204, { ids: [id] })
}

/** Events. */
export const events = async (coverage: OperationCoverage, realm: GivenRealm, version: Version): Promise<void> => {
  await coverage.call(realm, `${version}.events list`, 200, { query: "?event_type=user.&direction=desc" })
  const { id } = await latestEvent(realm)
  await coverage.call(realm, `${version}.events get`, 200, { ids: [id] })
}

/** Retries a notification of an event and cancels another. Only version 2 has notifications. */
export const notifications = async (
  coverage: OperationCoverage,
  given: Given,
  { url }: ExternalStub
): Promise<void> => {
  const realm = await given.realm()
  for (const path of ["/one", "/two"]) await delayedHook(realm, url + path)
  await realm.org()
  const { id, notification, hookOf } = await latestEvent(realm)
  const [over, waiting] = [notification(0), notification(1)]
  await expectSuccess(realm.post(`/v2/events/${id}/notifications/${over}/cancel`, {}))
  await coverage.call(realm, "v2.events retry", 200, { ids: [id, over], body: {} })
  await coverage.call(realm, "v2.events cancel", 200, { ids: [id, waiting], body: {} })
  const hook = hookOf(1)
  await coverage.call(realm, "v2.notifications list", 200, { query: "?state=failed&hook_type=email" })
  await coverage.call(realm, "v2.notifications listOfHook", 200, { ids: [hook], query: "?state=canceled" })
  await coverage.call(realm, "v2.notifications get", 200, { ids: [hook, waiting] })
}

/** Grants and consents. Nobody in the realm has given one. */
export const grants = async (coverage: OperationCoverage, realm: GivenRealm, version: Version): Promise<void> => {
  const ids = ["gr_01m7y8z0q4w8r1d5e9b3k7n2v6"]
  await coverage.call(realm, `${version}.grants list`, 200)
  await coverage.call(realm, `${version}.grants get`, 404, { ids })
  await coverage.call(realm, `${version}.grants delete`, 404, { ids })
  const consent = ["cns_01m7y8z0q4w8r1d5e9b3k7n2v6"]
  await coverage.call(realm, `${version}.consents list`, 200)
  await coverage.call(realm, `${version}.consents get`, 404, { ids: consent })
  await coverage.call(realm, `${version}.consents delete`, 404, { ids: consent })
}
