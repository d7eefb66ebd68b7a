import { appAnswer, appRequests } from "./ConnectedApps.ts"
import { externalRequests, externalUrls } from "./ExternalAuthentication.ts"
import { hookAnswer, hookRequests, notification } from "./Hooks.ts"
import { loginAnswers, loginRequests } from "./Logins.ts"
import {
  apiKey,
  authProvider,
  device,
  event,
  invitation,
  jwtKey,
  membership,
  membershipV1,
  newAuthProvider,
  org,
  passwords,
  readSession,
  readSessionV1,
  readUser,
  readUserV1,
  realm,
  realmItem,
  robotV1,
  session,
  sessionV1,
  user,
  userToken,
  userV1,
  verifiedDevice
} from "./Samples.ts"

/** What callers send, by version where the versions differ: each works when sent as it is, with ids of one's own in place of these. */
export const requests: Readonly<Record<string, unknown>> = {
  "realms.create": { realm: { name: "Acme", jwt_algo: "hs256" } },
  "realms.update": { realm: { session_minutes: 720 } },
  "realms.reset": { users: true, orgs: true, auth_providers: false },
  "users.create": {
    user: { email: "jo@example.com", password: "correct horse battery", first_name: "Jo", last_name: "Doe" },
    org: { name: "Jo & Sons" },
    permissions: ["ar:owner", "billing:read"],
    request: { ip: "203.0.113.7", client: "curl" }
  },
  "v1.users.create": {
    user: {
      user_type: "human",
      username: "jo",
      email: "jo.doe@example.com",
      password: "correct horse battery",
      first_name: "Jo",
      last_name: "Doe"
    },
    org: { name: "Jo & Sons" },
    permissions: ["ar:owner", "billing:read"],
    request: { ip: "203.0.113.7", client: "curl" }
  },
  "user_tokens.create": {
    user_token: { username: "sam", email: "sam@example.com", password: "correct horse battery", first_name: "Sam" }
  },
  ...loginRequests,
  ...externalRequests,
  ...hookRequests,
  ...appRequests,
  "users.update": { user: { first_name: "Joan" } },
  "orgs.create": { org: { name: "Jo & Sons", reference: "customer-42" }, user_ids: [user.id], permissions: "ar:owner" },
  "orgs.update": { org: { name: "Jo & Daughters" } },
  "memberships.create": { membership: { user_id: user.id, org_id: org.id, permissions: ["billing:read"] } },
  "v1.memberships.create": { membership: { user_id: user.id, permissions: ["beta:tester"], custom: { seat: 12 } } },
  "v1.memberships.update": { membership: { permissions: "billing:read billing:write", custom: { seat: 14 } } },
  "memberships.update": { membership: { permissions: "billing:read billing:write" } },
  "invitations.create": {
    invitation: {
      invitation_type: "org",
      email: invitation.email,
      org_id: org.id,
      inviting_user_id: user.id,
      permissions: ["billing:read"]
    }
  },
  "invitations.update": { invitation: { permissions: "billing:read billing:write" } },
  "invitations.invite": { invitation: { expires_at: 4_102_444_800 } },
  "users.accept_invitation": { user: { token: invitation.token } },
  "sessions.create": { session: { user_id: user.id }, request: { ip: "203.0.113.7", client: "curl" } },
  "credentials.create": { credential: { user_id: user.id, credential_type: "totp", name: "Jo's phone" } },
  "credentials.update": { credential: { name: "Jo's old phone" } },
  "credentials.verify": { credential: { code: "123456" } },
  "auth_providers.create": { auth_provider: { ...newAuthProvider, client_secret: "kept-between-the-two-of-us" } },
  "auth_providers.update": { auth_provider: { scopes: "openid email profile" } },
  "jwt_keys.create": { jwt_key: { algo: "hs256", use: "sign" } },
  "api_keys.create": { api_key: { name: "backend", level: "write", realm_id: user.realm_id } }
}

/** What one of each resource looks like, by version where the versions differ. */
const resources: Readonly<Record<string, { readonly item: unknown; readonly read: unknown }>> = {
  realms: { item: realmItem, read: realm },
  users: { item: user, read: readUser },
  "v1.users": { item: userV1, read: readUserV1 },
  user_tokens: { item: userToken, read: userToken },
  orgs: { item: org, read: { ...org, custom: {} } },
  memberships: { item: { ...membership, org }, read: { ...membership, org: { ...org, custom: {} }, user } },
  "v1.memberships": {
    item: { ...membershipV1, org },
    read: { ...membershipV1, org: { ...org, custom: {} }, user: userV1 }
  },
  invitations: { item: invitation, read: invitation },
  sessions: { item: session, read: readSession },
  "v1.sessions": { item: sessionV1, read: readSessionV1 },
  credentials: { item: verifiedDevice, read: verifiedDevice },
  auth_providers: { item: passwords, read: authProvider },
  jwt_keys: { item: jwtKey, read: jwtKey },
  api_keys: { item: apiKey, read: apiKey },
  events: { item: event, read: event }
}

const externalAnswer = (version: string, operation: string): unknown => {
  if (operation === "list_urls") return { collection: [externalUrls[version]], more_results: false }
  if (operation === "get_url") return externalUrls[version]
  return version === "v1" ? { ...readUserV1, token: readSession.token } : readSession
}

/** What an operation answers when all is well. */
export const answer = (version: string, resource: string, operation: string): unknown => {
  if (resource === "hooks") return hookAnswer(version, operation)
  if (resource === "login_policies" || resource === "client_apps") return appAnswer(resource, operation)
  if (resource === "external_authentication") return externalAnswer(version, operation)
  const known = resources[`${version}.${resource}`] ?? resources[resource]
  if (operation === "list") return { collection: [known?.item], more_results: false }
  const byVersion = version === "v1" ? { jwt_fields: [], jwt_secret: null } : { jwt_scopes: [] }
  if (resource === "logins") {
    const answers = loginAnswers({ human: readUserV1, robot: robotV1, session: readSession })
    return answers[`${version}.${operation}`] ?? (version === "v1" ? readUserV1 : readUser)
  }
  if (resource === "events" && operation !== "get") return notification
  if (resource === "events" && version === "v2") return { ...event, notifications: [notification] }
  if (resource === "realms") return { ...realm, ...byVersion }
  if (operation === "accept_invitation") return { ...readUser, memberships: [{ ...membership, org }] }
  if (version === "v1" && resource === "sessions" && operation === "create") {
    return { ...readSessionV1, token: readSession.token }
  }
  if (resource === "credentials" && operation === "create") return device
  if (resource === "api_keys" && operation === "create") return { ...apiKey, key: "sk_01m7y8xyj4bmw0ek0bz2h2g9tn_…" }
  return known?.read
}
