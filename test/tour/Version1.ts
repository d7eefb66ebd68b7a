import type { Given, GivenRealm } from "#testing/Given"
import { connectedApps, hooks, jwtKeys } from "./BothVersions.ts"
import { comingBack, type Peer, peerSettings, REDIRECT } from "./ExternalStub.ts"
import { codeOf, guarded, had, NEXT_PASSWORD, newDevice, PASSWORD } from "./Fixtures.ts"
import type { Walk } from "./OperationCoverage.ts"

const request = { ip: "203.0.113.7", client: "tour" }

const users = async (walk: Walk, realm: GivenRealm) => {
  await realm.apiUser({ username: "robot" })
  await walk.visit(realm, "v1.users list", 200, { query: "?user_type=all&sort=name_alt" })
  await walk.visit(realm, "v1.users get", 200, { ids: ["Robot"], query: "?expand=memberships" })
  const user = { user_type: "human", username: "jo", email: "jo@v1.example.test", password: PASSWORD }
  const body = { user, org: { name: "Jo & Sons" }, permissions: ["ar:owner"], request }
  const { id } = await walk.visit(realm, "v1.users create", 201, { body })
  const ids = ["jo"]
  await walk.visit(realm, "v1.users update", 200, { ids, body: { user: { first_name: "Jo", last_name: "Doe" } } })
  const next = { password: NEXT_PASSWORD, password_confirmation: NEXT_PASSWORD }
  const passwords = { user: { current_password: PASSWORD, ...next } }
  await walk.visit(realm, "v1.logins update_password", 204, { ids, body: passwords })
  await walk.visit(realm, "v1.users delete", 204, { ids: [(await realm.user({ username: "gone" })).id] })
  await walk.visit(realm, "v1.logins authenticate", 200, { ids, body: { password: NEXT_PASSWORD, request } })
  const { id: other, code } = await guarded(realm)
  const pending = await had(realm.post(`/v1/users/${other}/authenticate`, { password: PASSWORD }))
  const completed = { user: { token: pending.string("token"), code }, request }
  await walk.visit(realm, "v1.logins authenticate_code", 200, { ids: [other], body: completed })
  const api_key = (await realm.apiUser({ api_key: "generate" })).string("api_key")
  await walk.visit(realm, "v1.logins authenticate_key", 200, { body: { api_key, request } })

  const reset = await walk.visit(realm, "v1.logins generate_password_token", 200, { ids, body: { request } })
  const token = reset.string("password_reset_token")
  const changed = { user: { token, password: PASSWORD, password_confirmation: PASSWORD } }
  await walk.visit(realm, "v1.logins reset_password_with_token", 200, { ids: ["--"], body: changed })
  const proof = await walk.visit(realm, "v1.logins request_email_verification", 200, { ids: [id], body: { request } })
  const proved = { user: { token: proof.string("token") } }
  await walk.visit(realm, "v1.logins verify_email", 200, { ids: [id], body: proved })
}

const realms = async (walk: Walk, given: Given) => {
  const { root } = given
  const known = await given.realm()
  await walk.visit(root, "v1.realms list", 200, { query: "?sort=id" })
  await walk.visit(root, "v1.realms get", 200, { ids: [known.id] })
  const created = await walk.visit(root, "v1.realms create", 201, { body: { realm: { name: "Third" } } })
  const ids = [created.id]
  const change = { realm: { jwt_fields: ["memberships", "orgs"], session_minutes: 60 } }
  await walk.visit(root, "v1.realms update", 200, { ids, body: change })
  await walk.visit(root, "v1.realms delete", 202, { ids: [known.id] })
  await walk.visit(root, "v1.realms reset", 202, { ids, body: { users: true, app_hooks: true } })
}

const credentials = async (walk: Walk, realm: GivenRealm) => {
  const { id: user_id } = await realm.user()
  const known = await newDevice(realm, user_id)
  await walk.visit(realm, "v1.credentials get", 200, { ids: [known.id] })
  const body = { credential: { user_id, credential_type: "totp", name: "Phone" }, request }
  const device = await walk.visit(realm, "v1.credentials create", 201, { body })
  const ids = [device.id]
  await walk.visit(realm, "v1.credentials update", 200, { ids, body: { credential: { name: "Old phone" } } })
  await walk.visit(realm, "v1.credentials verify", 200, { ids, body: { credential: { code: codeOf(device) } } })
  await walk.visit(realm, "v1.credentials delete", 204, { ids })
}

const orgs = async (walk: Walk, realm: GivenRealm) => {
  const known = await realm.org()
  await walk.visit(realm, "v1.orgs list", 200, { query: "?expand=custom" })
  await walk.visit(realm, "v1.orgs get", 200, { ids: [known.id], query: "?expand=memberships" })
  const body = { org: { name: "Acme" }, user: { user_type: "api", username: "acme-robot" }, permissions: "ar:owner" }
  const { id } = await walk.visit(realm, "v1.orgs create", 201, { body })
  await walk.visit(realm, "v1.orgs update", 200, { ids: [id], body: { org: { state: "inactive" } } })
  await walk.visit(realm, "v1.orgs delete", 204, { ids: [id] })
}

const signupTokens = async (walk: Walk, realm: GivenRealm) => {
  const newcomer = (username: string) => ({
    user_token: { username, email: `${username}@example.test`, password: PASSWORD }
  })
  const known = await had(realm.post("/v1/user_tokens", newcomer("sam")))
  await walk.visit(realm, "v1.user_tokens get", 200, { ids: [known.id] })
  await walk.visit(realm, "v1.user_tokens create", 201, { body: newcomer("max") })
}

const memberships = async (walk: Walk, realm: GivenRealm) => {
  const [org, user] = [await realm.org(), await realm.user()]
  const known = await realm.membership(user.id, org.id)
  await walk.visit(realm, "v1.memberships list", 200, { query: `?user_id=${user.id}` })
  await walk.visit(realm, "v1.memberships get", 200, { ids: [known.id] })
  const body = { membership: { user_id: user.id, permissions: ["beta:tester"], custom: { seat: 12 } } }
  const { id } = await walk.visit(realm, "v1.memberships create", 201, { body })
  const change = { membership: { permissions: "beta:tester beta:driver" } }
  await walk.visit(realm, "v1.memberships update", 200, { ids: [id], body: change })
  await walk.visit(realm, "v1.memberships delete", 204, { ids: [id] })
}

const sessions = async (walk: Walk, realm: GivenRealm) => {
  const user = await realm.user()
  const token = (await realm.session(user.id)).string("token")
  await walk.visit(realm, "v1.sessions list", 200, { query: `?user_id=${user.id}` })
  await walk.visit(realm, "v1.sessions get", 200, { ids: [token], query: "?expand=memberships,token" })
  await walk.visit(realm, "v1.sessions create", 201, { body: { session: { user_id: user.id }, request } })
  await walk.visit(realm, "v1.sessions delete", 204, { ids: [token] })
}

const external = async (walk: Walk, realm: GivenRealm, peer: Peer) => {
  const { id } = await realm.authProvider(peerSettings(peer))
  await walk.visit(realm, "v1.external_authentication list_urls", 200, { query: REDIRECT })
  await walk.visit(realm, "v1.external_authentication get_url", 200, { ids: [id], query: REDIRECT })
  const body = { ...(await comingBack(realm, id)), request }
  await walk.visit(realm, "v1.external_authentication authenticate", 200, { body })
  const token = { access_token: "token-of-the-peer", request }
  await walk.visit(realm, "v1.external_authentication authenticate_token", 200, { ids: [id], body: token })
}

/** Version 1: the operations of the contract in its order. */
export const version1 = async (walk: Walk, given: Given, realm: GivenRealm, peer: Peer): Promise<void> => {
  await users(walk, realm)
  await realms(walk, given)
  await credentials(walk, realm)
  await connectedApps(walk, realm, "v1")
  await orgs(walk, realm)
  await signupTokens(walk, realm)
  await memberships(walk, realm)
  await sessions(walk, realm)
  await jwtKeys(walk, realm, "v1")
  await hooks(walk, realm, "v1", peer)
  await external(walk, realm, peer)
}
