import type { Given, GivenRealm } from "#testing/Given"
import { emailCode } from "./EmailCodes.ts"
import { callbackParameters, type ExternalStub, providerSettings, REDIRECT_QUERY } from "./ExternalStub.ts"
import { expectSuccess, NEXT_PASSWORD, newTotpDevice, PASSWORD, totpCode, userWithTotp } from "./Fixtures.ts"
import type { OperationCoverage } from "./OperationCoverage.ts"
import { passkeys } from "./Passkeys.ts"

const request = { ip: "203.0.113.7", client: "tour" }

const sessions = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const user = await realm.user()
  const session = await realm.session(user.id)
  await coverage.call(realm, "v2.sessions list", 200, { query: `?user_id=${user.id}` })
  await coverage.call(realm, "v2.sessions get", 200, { ids: [session.id], query: "?expand=memberships" })
  await coverage.call(realm, "v2.sessions create", 201, { body: { session: { user_id: user.id }, request } })
  await coverage.call(realm, "v2.sessions delete", 204, { ids: [session.id] })
}

const users = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const org = await realm.org()
  const invitation = await realm.invitation({ org_id: org.id, permissions: "billing:read" })
  const known = await realm.user()
  await coverage.call(realm, "v2.users list", 200, { query: "?search=jo&expand=custom" })
  await coverage.call(realm, "v2.users get", 200, { ids: [known.string("email")], query: "?expand=memberships" })
  const user = { email: "jo@example.test", password: PASSWORD, first_name: "Jo", custom: { plan: "gold" } }
  const body = { user, org: { name: "Jo & Sons" }, permissions: ["ar:owner"], request }
  const { id } = await coverage.call(realm, "v2.users create", 201, { body })
  await coverage.call(realm, "v2.users update", 200, { ids: [id], body: { user: { last_name: "Doe" } } })
  const accepted = { user: { token: invitation.string("token") } }
  await coverage.call(realm, "v2.users accept_invitation", 200, { ids: [id], body: accepted })
  await coverage.call(realm, "v2.users end_sessions", 200, { ids: [id], body: {} })
  await coverage.call(realm, "v2.users blocks", 200, { ids: [id] })
  await coverage.call(realm, "v2.users unblock", 204, { ids: [id] })
  await coverage.call(realm, "v2.users trusted_devices", 200, { ids: [id] })
  await coverage.call(realm, "v2.users untrust_devices", 204, { ids: [id] })
  await coverage.call(realm, "v2.users cancel_deletion", 204, { ids: [id] })

  const ids = [id]
  await coverage.call(realm, "v2.logins authenticate", 200, { ids, body: { user: { password: PASSWORD } } })
  const { id: other, code } = await userWithTotp(realm)
  const pending = await expectSuccess(realm.post(`/v2/users/${other}/authenticate`, { user: { password: PASSWORD } }))
  const completed = { user: { token: pending.string("token"), code } }
  await coverage.call(realm, "v2.logins authenticate_token", 200, { body: completed })
  await passkeys(coverage, realm, "v2", id)
  await emailCode(coverage, realm, "v2", id)
  const reset = await coverage.call(realm, "v2.logins generate_password_token", 200, { ids, body: { request } })
  await coverage.call(realm, "v2.logins send_password_reset", 200, { ids, body: { request } })
  const changed = { user: { token: reset.string("token"), password: NEXT_PASSWORD } }
  await coverage.call(realm, "v2.logins reset_password_with_token", 200, { body: changed })
  await coverage.call(realm, "v2.logins send_email_verification", 200, { ids, body: { request } })
  const proof = await coverage.call(realm, "v2.logins request_email_verification", 200, { ids, body: { request } })
  await coverage.call(realm, "v2.logins verify_email", 200, { body: { user: { token: proof.string("token") } } })
  const passwords = { user: { current_password: NEXT_PASSWORD, password: PASSWORD } }
  await coverage.call(realm, "v2.logins update_password", 200, { ids, body: passwords })
  await coverage.call(realm, "v2.logins update_profile", 200, { ids, body: { user: { first_name: "Joan" } } })
  await coverage.call(realm, "v2.users delete", 204, { ids })
}

const orgs = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const [known, user] = [await realm.org(), await realm.user()]
  await coverage.call(realm, "v2.orgs list", 200, { query: "?search=jo&state=active" })
  await coverage.call(realm, "v2.orgs get", 200, { ids: [known.id], query: "?expand=memberships" })
  const body = { org: { name: "Acme", reference: "customer-42" }, user_ids: [user.id], permissions: "ar:owner" }
  const { id } = await coverage.call(realm, "v2.orgs create", 201, { body })
  await coverage.call(realm, "v2.orgs update", 200, { ids: [id], body: { org: { name: "Acme, Inc." } } })
  await coverage.call(realm, "v2.orgs delete", 202, { ids: [id], query: "?force=true" })
}

const memberships = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const [org, user] = [await realm.org(), await realm.user()]
  const known = await realm.membership((await realm.user()).id, org.id)
  await coverage.call(realm, "v2.memberships list", 200, { query: `?org_id=${org.id}` })
  await coverage.call(realm, "v2.memberships get", 200, { ids: [known.id] })
  const body = { membership: { org_id: org.id, user_id: user.id, permissions: ["billing:read"] }, request }
  const { id } = await coverage.call(realm, "v2.memberships create", 201, { body })
  const change = { membership: { permissions: "billing:read billing:write" } }
  await coverage.call(realm, "v2.memberships update", 200, { ids: [id], body: change })
  await coverage.call(realm, "v2.memberships delete", 204, { ids: [id] })
}

const invitations = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const [known, org] = [await realm.invitation(), await realm.org()]
  await coverage.call(realm, "v2.invitations list", 200, { query: "?state=pending&sort=email" })
  await coverage.call(realm, "v2.invitations get", 200, { ids: [known.id] })
  const invitation = { email: "sam@example.test", invitation_type: "org", org_id: org.id, permissions: "billing:read" }
  const { id } = await coverage.call(realm, "v2.invitations create", 201, { body: { invitation, request } })
  const change = { invitation: { permissions: ["billing:write"] } }
  await coverage.call(realm, "v2.invitations update", 200, { ids: [id], body: change })
  await coverage.call(realm, "v2.invitations invite", 200, { ids: [id], body: { request } })
  await coverage.call(realm, "v2.invitations delete", 204, { ids: [id] })
}

const domains = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const org_id = (await realm.org()).id
  const domain = { org_id, domain: "Example.COM" }
  const { id } = await coverage.call(realm, "v2.domains create", 201, { body: { domain, request } })
  await coverage.call(realm, "v2.domains list", 200, { query: `?org_id=${org_id}&state=pending` })
  await coverage.call(realm, "v2.domains get", 200, { ids: [id] })
  await coverage.call(realm, "v2.domains verify", 200, { ids: [id], body: { request } })
  await coverage.call(realm, "v2.domains delete", 204, { ids: [id] })
}

const external = async (coverage: OperationCoverage, realm: GivenRealm, stub: ExternalStub) => {
  const { id } = await realm.authProvider(providerSettings(stub))
  await coverage.call(realm, "v2.external_authentication list_urls", 200, { query: REDIRECT_QUERY })
  await coverage.call(realm, "v2.external_authentication get_url", 200, { ids: [id], query: REDIRECT_QUERY })
  const body = { ...(await callbackParameters(realm, id)), request }
  await coverage.call(realm, "v2.external_authentication authenticate", 201, { body })
  const token = { access_token: "token-of-the-stub", request }
  await coverage.call(realm, "v2.external_authentication authenticate_token", 201, { ids: [id], body: token })
}

const realms = async (coverage: OperationCoverage, given: Given) => {
  const { root } = given
  const known = await given.realm()
  await coverage.call(root, "v2.realms list", 200, { query: "?expand=custom" })
  await coverage.call(root, "v2.realms get", 200, { ids: [known.id] })
  await coverage.call(root, "v2.realms statistics", 200, { ids: [known.id], query: "?interval=hour" })
  const created = await coverage.call(root, "v2.realms create", 201, { body: { realm: { name: "Second" } } })
  const ids = [created.id]
  await coverage.call(root, "v2.realms update", 200, { ids, body: { realm: { session_minutes: 720 } } })
  await coverage.call(root, "v2.realms reset", 202, { ids, body: { users: true, orgs: false } })
  await coverage.call(root, "v2.realms delete", 202, { ids: [known.id] })
}

const credentials = async (coverage: OperationCoverage, realm: GivenRealm) => {
  const { id: user_id } = await realm.user()
  const known = await newTotpDevice(realm, user_id)
  await coverage.call(realm, "v2.credentials get", 200, { ids: [known.id] })
  const body = { credential: { user_id, credential_type: "totp", name: "Phone" }, request }
  const device = await coverage.call(realm, "v2.credentials create", 201, { body })
  const ids = [device.id]
  await coverage.call(realm, "v2.credentials update", 200, { ids, body: { credential: { name: "Old phone" } } })
  await coverage.call(realm, "v2.credentials verify", 200, { ids, body: { credential: { code: totpCode(device) } } })
  await coverage.call(realm, "v2.credentials delete", 204, { ids })
}

const bulk = async (coverage: OperationCoverage, realm: GivenRealm) => {
  await coverage.call(realm, "v2.imports import", 200, {
    query: "?events=true",
    body: '{"reference":"crm-1","email":"ida@example.test"}',
    headers: { "content-type": "application/x-ndjson" }
  })
  await coverage.call(realm, "v2.exports export", 200)
}

const operators = async (coverage: OperationCoverage, given: Given) => {
  const { root } = given
  const operator = { email: "ada@example.test", role: "support", send_email: false }
  const { id } = await coverage.call(root, "v2.operators create", 201, { body: { operator } })
  const ids = [id]
  await coverage.call(root, "v2.operators list", 200)
  await coverage.call(root, "v2.operators get", 200, { ids })
  await coverage.call(root, "v2.operators update", 200, { ids, body: { operator: { role: "admin" } } })
  await coverage.call(root, "v2.operators invite", 200, { ids, body: { send_email: true } })
  await coverage.call(root, "v2.operators list_created_keys", 200, { ids })
  await coverage.call(root, "v2.operators delete", 204, { ids })
  await coverage.call(root, "v2.console get", 200)
  await coverage.call(root, "v2.console update", 200, { body: { console: { api_keys: true } } })
}

/** Calls the operations of /v2 in the order of the contract, then the resources that C13 adds. */
export const version2 = async (
  coverage: OperationCoverage,
  given: Given,
  realm: GivenRealm,
  stub: ExternalStub
): Promise<void> => {
  await sessions(coverage, realm)
  await users(coverage, realm)
  await orgs(coverage, realm)
  await memberships(coverage, realm)
  await domains(coverage, realm)
  await invitations(coverage, realm)
  await external(coverage, realm, stub)
  await realms(coverage, given)
  await credentials(coverage, realm)
  await bulk(coverage, realm)
  await operators(coverage, given)
}
