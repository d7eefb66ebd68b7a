import type { Given, GivenRealm } from "#testing/Given"
import { connectedApps, hooks, jwtKeys } from "./BothVersions.ts"
import { emailCode } from "./EmailCodes.ts"
import { callbackParameters, type ExternalStub, providerSettings, REDIRECT_QUERY } from "./ExternalStub.ts"
import { expectSuccess, NEXT_PASSWORD, newTotpDevice, PASSWORD, totpCode, userWithTotp } from "./Fixtures.ts"
import type { OperationCoverage } from "./OperationCoverage.ts"
import { passkeys } from "./Passkeys.ts"

const request = { ip: "203.0.113.7", client: "tour" }

const users = async (coverage: OperationCoverage, realm: GivenRealm) => {
  await realm.apiUser({ username: "robot" })
  await coverage.call(realm, "v1.users list", 200, { query: "?user_type=all&sort=name_alt" })
  await coverage.call(realm, "v1.users get", 200, { ids: ["Robot"], query: "?expand=memberships" })
  const user = { user_type: "human", username: "jo", email: "jo@v1.example.test", password: PASSWORD }
  const body = { user, org: { name: "Jo & Sons" }, permissions: ["ar:owner"], request }
  const { id } = await coverage.call(realm, "v1.users create", 201, { body })
  const ids = ["jo"]
  await coverage.call(realm, "v1.users update", 200, { ids, body: { user: { first_name: "Jo", last_name: "Doe" } } })
  const next = { password: NEXT_PASSWORD, password_confirmation: NEXT_PASSWORD }
  const passwords = { user: { current_password: PASSWORD, ...next } }
  await coverage.call(realm, "v1.logins update_password", 204, { ids, body: passwords })
  await coverage.call(realm, "v1.users delete", 204, { ids: [(await realm.user({ username: "gone" })).id] })
  await coverage.call(realm, "v1.logins authenticate", 200, { ids, body: { password: NEXT_PASSWORD, request } })
  const { id: other, code } = await userWithTotp(realm)
  const pending = await expectSuccess(realm.post(`/v1/users/${other}/authenticate`, { password: PASSWORD }))
  const completed = { user: { token: pending.string("token"), code }, request }
  await coverage.call(realm, "v1.logins authenticate_code", 200, { ids: [other], body: completed })
  const api_key = (await realm.apiUser({ api_key: "generate" })).string("api_key")
  await coverage.call(realm, "v1.logins authenticate_key", 200, { body: { api_key, request } })

  await passkeys(coverage, realm, "v1", id)
  await emailCode(coverage, realm, "v1", id)
  const reset = await coverage.call(realm, "v1.logins generate_password_token", 200, { ids, body: { request } })
  const token = reset.string("password_reset_token")
  const changed = { user: { token, password: PASSWORD, password_confirmation: PASSWORD } }
  await coverage.call(realm, "v1.logins reset_password_with_token", 200, { ids: ["--"], body: changed })
  const proof = await coverage.call(realm, "v1.logins request_email_verification", 200, {
    ids: [id],
    body: { request }
  })
  const proved = { user: { token: proof.string("token") } }
  await coverage.call(realm, "v1.logins verify_email", 200, { ids: [id], body: proved })
}

const realms = async (coverage: OperationCoverage, given: Given) => {
  const { root } = given
  const known = await given.realm()
  await coverage.call(root, "v1.realms list", 200, { query: "?sort=id" })
  await coverage.call(root, "v1.realms get", 200, { ids: [known.id] })
  const created = await coverage.call(root, "v1.realms create", 201, { body: { realm: { name: "Third" } } })
  const ids = [created.id]
  const change = { realm: { jwt_fields: ["memberships", "orgs"], session_minutes: 60 } }
  await coverage.call(root, "v1.realms update", 200, { ids, body: change })
  await coverage.call(root, "v1.realms delete", 202, { ids: [known.id] })
  await coverage.call(root, "v1.realms reset", 202, { ids, body: { users: true, app_hooks: true } })
}

const credentials = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const { id: user_id } = await realm.user()
  const known = await newTotpDevice(realm, user_id)
  await coverage.call(realm, "v1.credentials get", 200, { ids: [known.id] })
  const body = { credential: { user_id, credential_type: "totp", name: "Phone" }, request }
  const device = await coverage.call(realm, "v1.credentials create", 201, { body })
  const ids = [device.id]
  await coverage.call(realm, "v1.credentials update", 200, { ids, body: { credential: { name: "Old phone" } } })
  await coverage.call(realm, "v1.credentials verify", 200, { ids, body: { credential: { code: totpCode(device) } } })
  await coverage.call(realm, "v1.credentials delete", 204, { ids })
}

const orgs = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const known = await realm.org()
  await coverage.call(realm, "v1.orgs list", 200, { query: "?expand=custom" })
  await coverage.call(realm, "v1.orgs get", 200, { ids: [known.id], query: "?expand=memberships" })
  const body = { org: { name: "Acme" }, user: { user_type: "api", username: "acme-robot" }, permissions: "ar:owner" }
  const { id } = await coverage.call(realm, "v1.orgs create", 201, { body })
  await coverage.call(realm, "v1.orgs update", 200, { ids: [id], body: { org: { state: "inactive" } } })
  await coverage.call(realm, "v1.orgs delete", 204, { ids: [id] })
}

const signupTokens = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const newcomer = (username: string) => ({
    user_token: { username, email: `${username}@example.test`, password: PASSWORD }
  })
  const known = await expectSuccess(realm.post("/v1/user_tokens", newcomer("sam")))
  await coverage.call(realm, "v1.user_tokens get", 200, { ids: [known.id] })
  await coverage.call(realm, "v1.user_tokens create", 201, { body: newcomer("max") })
}

const memberships = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const [org, user] = [await realm.org(), await realm.user()]
  const known = await realm.membership(user.id, org.id)
  await coverage.call(realm, "v1.memberships list", 200, { query: `?user_id=${user.id}` })
  await coverage.call(realm, "v1.memberships get", 200, { ids: [known.id] })
  const body = { membership: { user_id: user.id, permissions: ["beta:tester"], custom: { seat: 12 } } }
  const { id } = await coverage.call(realm, "v1.memberships create", 201, { body })
  const change = { membership: { permissions: "beta:tester beta:driver" } }
  await coverage.call(realm, "v1.memberships update", 200, { ids: [id], body: change })
  await coverage.call(realm, "v1.memberships delete", 204, { ids: [id] })
}

const sessions = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const user = await realm.user()
  const token = (await realm.session(user.id)).string("token")
  await coverage.call(realm, "v1.sessions list", 200, { query: `?user_id=${user.id}` })
  await coverage.call(realm, "v1.sessions get", 200, { ids: [token], query: "?expand=memberships,token" })
  await coverage.call(realm, "v1.sessions create", 201, { body: { session: { user_id: user.id }, request } })
  await coverage.call(realm, "v1.sessions delete", 204, { ids: [token] })
}

const external = async (coverage: OperationCoverage, realm: GivenRealm, stub: ExternalStub) => {
  const { id } = await realm.authProvider(providerSettings(stub))
  await coverage.call(realm, "v1.external_authentication list_urls", 200, { query: REDIRECT_QUERY })
  await coverage.call(realm, "v1.external_authentication get_url", 200, { ids: [id], query: REDIRECT_QUERY })
  const body = { ...(await callbackParameters(realm, id)), request }
  await coverage.call(realm, "v1.external_authentication authenticate", 200, { body })
  const token = { access_token: "token-of-the-stub", request }
  await coverage.call(realm, "v1.external_authentication authenticate_token", 200, { ids: [id], body: token })
}

/** Calls the operations of /v1 in the order of the contract. */
export const version1 = async (
  coverage: OperationCoverage,
  given: Given,
  realm: GivenRealm,
  stub: ExternalStub
): Promise<void> => {
  await users(coverage, realm)
  await realms(coverage, given)
  await credentials(coverage, realm)
  await connectedApps(coverage, realm, "v1")
  await orgs(coverage, realm)
  await signupTokens(coverage, realm)
  await memberships(coverage, realm)
  await sessions(coverage, realm)
  await jwtKeys(coverage, realm, "v1")
  await hooks(coverage, realm, "v1", stub)
  await external(coverage, realm, stub)
}
