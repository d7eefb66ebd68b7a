import type { Given, GivenRealm } from "#testing/Given"
import { comingBack, type Peer, peerSettings, REDIRECT } from "./ExternalStub.ts"
import { codeOf, guarded, had, NEXT_PASSWORD, newDevice, PASSWORD } from "./Fixtures.ts"
import type { Walk } from "./OperationCoverage.ts"

const request = { ip: "203.0.113.7", client: "tour" }

const sessions = async (walk: Walk, realm: GivenRealm) => {
  const user = await realm.user()
  const session = await realm.session(user.id)
  await walk.visit(realm, "v2.sessions list", 200, { query: `?user_id=${user.id}` })
  await walk.visit(realm, "v2.sessions get", 200, { ids: [session.id], query: "?expand=memberships" })
  await walk.visit(realm, "v2.sessions create", 201, { body: { session: { user_id: user.id }, request } })
  await walk.visit(realm, "v2.sessions delete", 204, { ids: [session.id] })
}

const users = async (walk: Walk, realm: GivenRealm) => {
  const org = await realm.org()
  const invitation = await realm.invitation({ org_id: org.id, permissions: "billing:read" })
  const known = await realm.user()
  await walk.visit(realm, "v2.users list", 200, { query: "?sort=name&expand=custom" })
  await walk.visit(realm, "v2.users get", 200, { ids: [known.string("email")], query: "?expand=memberships" })
  const user = { email: "jo@example.test", password: PASSWORD, first_name: "Jo", custom: { plan: "gold" } }
  const body = { user, org: { name: "Jo & Sons" }, permissions: ["ar:owner"], request }
  const { id } = await walk.visit(realm, "v2.users create", 201, { body })
  await walk.visit(realm, "v2.users update", 200, { ids: [id], body: { user: { last_name: "Doe" } } })
  const accepted = { user: { token: invitation.string("token") } }
  await walk.visit(realm, "v2.users accept_invitation", 200, { ids: [id], body: accepted })

  const ids = [id]
  await walk.visit(realm, "v2.logins authenticate", 200, { ids, body: { user: { password: PASSWORD } } })
  const { id: other, code } = await guarded(realm)
  const pending = await had(realm.post(`/v2/users/${other}/authenticate`, { user: { password: PASSWORD } }))
  const completed = { user: { token: pending.string("token"), code } }
  await walk.visit(realm, "v2.logins authenticate_token", 200, { body: completed })
  const reset = await walk.visit(realm, "v2.logins generate_password_token", 200, { ids, body: { request } })
  const changed = { user: { token: reset.string("token"), password: NEXT_PASSWORD } }
  await walk.visit(realm, "v2.logins reset_password_with_token", 200, { body: changed })
  const proof = await walk.visit(realm, "v2.logins request_email_verification", 200, { ids, body: { request } })
  await walk.visit(realm, "v2.logins verify_email", 200, { body: { user: { token: proof.string("token") } } })
  const passwords = { user: { current_password: NEXT_PASSWORD, password: PASSWORD } }
  await walk.visit(realm, "v2.logins update_password", 200, { ids, body: passwords })
  await walk.visit(realm, "v2.logins update_profile", 200, { ids, body: { user: { first_name: "Joan" } } })
  await walk.visit(realm, "v2.users delete", 204, { ids })
}

const orgs = async (walk: Walk, realm: GivenRealm) => {
  const [known, user] = [await realm.org(), await realm.user()]
  await walk.visit(realm, "v2.orgs list", 200, { query: "?state=active" })
  await walk.visit(realm, "v2.orgs get", 200, { ids: [known.id], query: "?expand=memberships" })
  const body = { org: { name: "Acme", reference: "customer-42" }, user_ids: [user.id], permissions: "ar:owner" }
  const { id } = await walk.visit(realm, "v2.orgs create", 201, { body })
  await walk.visit(realm, "v2.orgs update", 200, { ids: [id], body: { org: { name: "Acme, Inc." } } })
  await walk.visit(realm, "v2.orgs delete", 202, { ids: [id], query: "?force=true" })
}

const memberships = async (walk: Walk, realm: GivenRealm) => {
  const [org, user] = [await realm.org(), await realm.user()]
  const known = await realm.membership((await realm.user()).id, org.id)
  await walk.visit(realm, "v2.memberships list", 200, { query: `?org_id=${org.id}` })
  await walk.visit(realm, "v2.memberships get", 200, { ids: [known.id] })
  const body = { membership: { org_id: org.id, user_id: user.id, permissions: ["billing:read"] }, request }
  const { id } = await walk.visit(realm, "v2.memberships create", 201, { body })
  const change = { membership: { permissions: "billing:read billing:write" } }
  await walk.visit(realm, "v2.memberships update", 200, { ids: [id], body: change })
  await walk.visit(realm, "v2.memberships delete", 204, { ids: [id] })
}

const invitations = async (walk: Walk, realm: GivenRealm) => {
  const [known, org] = [await realm.invitation(), await realm.org()]
  await walk.visit(realm, "v2.invitations list", 200, { query: "?state=pending&sort=email" })
  await walk.visit(realm, "v2.invitations get", 200, { ids: [known.id] })
  const invitation = { email: "sam@example.test", invitation_type: "org", org_id: org.id, permissions: "billing:read" }
  const { id } = await walk.visit(realm, "v2.invitations create", 201, { body: { invitation, request } })
  const change = { invitation: { permissions: ["billing:write"] } }
  await walk.visit(realm, "v2.invitations update", 200, { ids: [id], body: change })
  await walk.visit(realm, "v2.invitations invite", 200, { ids: [id], body: { request } })
  await walk.visit(realm, "v2.invitations delete", 204, { ids: [id] })
}

const external = async (walk: Walk, realm: GivenRealm, peer: Peer) => {
  const { id } = await realm.authProvider(peerSettings(peer))
  await walk.visit(realm, "v2.external_authentication list_urls", 200, { query: REDIRECT })
  await walk.visit(realm, "v2.external_authentication get_url", 200, { ids: [id], query: REDIRECT })
  const body = { ...(await comingBack(realm, id)), request }
  await walk.visit(realm, "v2.external_authentication authenticate", 201, { body })
  const token = { access_token: "token-of-the-peer", request }
  await walk.visit(realm, "v2.external_authentication authenticate_token", 201, { ids: [id], body: token })
}

const realms = async (walk: Walk, given: Given) => {
  const { root } = given
  const known = await given.realm()
  await walk.visit(root, "v2.realms list", 200, { query: "?expand=custom" })
  await walk.visit(root, "v2.realms get", 200, { ids: [known.id] })
  const created = await walk.visit(root, "v2.realms create", 201, { body: { realm: { name: "Second" } } })
  const ids = [created.id]
  await walk.visit(root, "v2.realms update", 200, { ids, body: { realm: { session_minutes: 720 } } })
  await walk.visit(root, "v2.realms reset", 202, { ids, body: { users: true, orgs: false } })
  await walk.visit(root, "v2.realms delete", 202, { ids: [known.id] })
}

const credentials = async (walk: Walk, realm: GivenRealm) => {
  const { id: user_id } = await realm.user()
  const known = await newDevice(realm, user_id)
  await walk.visit(realm, "v2.credentials get", 200, { ids: [known.id] })
  const body = { credential: { user_id, credential_type: "totp", name: "Phone" }, request }
  const device = await walk.visit(realm, "v2.credentials create", 201, { body })
  const ids = [device.id]
  await walk.visit(realm, "v2.credentials update", 200, { ids, body: { credential: { name: "Old phone" } } })
  await walk.visit(realm, "v2.credentials verify", 200, { ids, body: { credential: { code: codeOf(device) } } })
  await walk.visit(realm, "v2.credentials delete", 204, { ids })
}

/** Version 2: the operations of the contract in its order, then the resources that C13 adds. */
export const version2 = async (walk: Walk, given: Given, realm: GivenRealm, peer: Peer): Promise<void> => {
  await sessions(walk, realm)
  await users(walk, realm)
  await orgs(walk, realm)
  await memberships(walk, realm)
  await invitations(walk, realm)
  await external(walk, realm, peer)
  await realms(walk, given)
  await credentials(walk, realm)
}
