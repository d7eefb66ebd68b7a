// One of each thing that the examples show, in the form that each is read in.

export const user = {
  id: "usr_01m7y8xykh5b4fgp9g5wk5m1xq",
  object: "user",
  state: "active",
  realm_id: "rl_01m7y8xydk5168yghkc7ttt4bm",
  created_at: 1795238591.164,
  last_login_at: null,
  email: "jo@example.com",
  email_pending: null,
  email_verification: "none",
  first_name: "Jo",
  last_name: "Doe",
  name: "Jo Doe",
  username: null,
  locale: null,
  reference: null
}

export const org = {
  id: "org_01m7y8xykvemj4x8g8j25c0nkx",
  object: "org",
  state: "active",
  name: "Jo & Sons",
  realm_id: user.realm_id,
  reference: null,
  created_at: 1795238591.171
}

export const membership = {
  id: "mb_01m7y8xykx4tn8tcrmm2ttk0q3",
  object: "membership",
  org_id: org.id,
  user_id: user.id,
  permissions: ["ar:owner", "billing:read"],
  expires_at: null
}

export const invitation = {
  id: "nvt_01m7y8xykz3c8m5t1v6q2w9h4r",
  object: "invitation",
  invitation_type: "org",
  realm_id: user.realm_id,
  created_at: 1795238591.2,
  email: "sam@example.com",
  expires_at: 1797830591.2,
  invited_at: null,
  inviting_user_id: user.id,
  org_id: org.id,
  auth_provider_id: null,
  locale: "en",
  permissions: ["billing:read"],
  token: "nvt_4Tq8Zc1VnM6rXe0KdYb3LwPs9Hg5Ju2AiFo7RtBxQmC",
  org: { ...org, custom: {} }
}

export const session = {
  id: "kss_01m7y8xym4fzt8kz1tw7y2m8j8",
  object: "session",
  client_app_id: null,
  created_at: 1795238591.3,
  expires_at: 1795260191.3,
  user_id: user.id,
  request: { ip: "203.0.113.7", client: "curl" }
}

export const apiKey = {
  id: "key_01m7y8xyj4bmw0ek0bz2h2g9tn",
  object: "api_key",
  name: "backend",
  level: "write",
  realm_id: user.realm_id,
  created_at: 1795238591.02,
  expires_at: null,
  last_used_at: null
}

export const passwords = {
  id: "ap_01m7y8xydkw4q1c3v6z9p2t5hn",
  object: "auth_provider",
  provider_type: "password",
  state: "active",
  realm_id: user.realm_id,
  created_at: 1795238590.899,
  min_length: 8,
  preset: "none",
  required_chars: []
}

export const newAuthProvider = {
  provider_type: "oauth2",
  name: "Acme SSO",
  client_id: "sallyport",
  scopes: ["openid", "email"],
  authorization_url: "https://sso.example.com/authorize",
  token_url: "https://sso.example.com/token",
  profile_url: "https://sso.example.com/userinfo",
  id_field: "sub"
}

export const authProvider = {
  ...newAuthProvider,
  id: "ap_01m7y8xym1x2n8r5w0k7d3f6bj",
  object: "auth_provider",
  state: "active",
  realm_id: user.realm_id,
  created_at: 1795238591.25,
  email_field: "email",
  email_verified_field: null,
  first_name_field: null,
  last_name_field: null,
  name_field: null
}

export const jwtKey = {
  id: "jky_01m7y8xydn9s4b7w1c5x8z2k6f",
  object: "jwt_key",
  algo: "hs256",
  expired: false,
  key: "jsk_8Zk2…",
  use: "sign",
  realm_id: user.realm_id,
  created_at: 1795238590.899
}

export const realmItem = { id: user.realm_id, object: "realm", name: "Acme", state: "active", reference: null }

export const realm = {
  ...realmItem,
  custom: {},
  environment: "live",
  username_validation_human: "standard",
  require_unique_emails: true,
  api_key_prefix: null,
  api_key_policy: "hash",
  jwt_algo: "hs256",
  jwt_claims: "v2",
  jwt_key: null,
  session_type: "managed",
  session_minutes: 360,
  session_tokens: "all",
  api_key_minutes: 0,
  org_mode: "multi_user",
  signup: "open",
  email_verification: "none",
  default_locale: "en",
  available_locales: ["en"],
  resource_links: [],
  limits: {},
  event_retention_days: null,
  created_at: 1795238590.899
}

export const event = {
  id: "ev_01m7y8xyks7v0jgy6n2b8t4c1h",
  object: "event",
  event_type: "user.created",
  event_at: 1795238591.164,
  realm_id: user.realm_id,
  user_id: user.id,
  request: { ip: null, client: null }
}

const credential = { id: "crd_01m7y8xykt2m2pvyd8ge93h5k7", object: "credential", credential_type: "password" }

export const device = {
  ...credential,
  credential_type: "totp",
  user_id: user.id,
  auth_provider_id: "ap_01m7y8xydm6f0rt4v1q9c3n8ha",
  name: "Jo's phone",
  state: "new",
  otp_secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  provisioning_uri:
    "otpauth://totp/Acme:jo%40example.com?issuer=Acme&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30",
  provisioning_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 430">…</svg>'
}

export const verifiedDevice = {
  ...credential,
  credential_type: "totp",
  user_id: user.id,
  auth_provider_id: device.auth_provider_id,
  name: device.name,
  state: "active"
}

export const userV1 = {
  id: user.id,
  object: "user",
  state: "active",
  realm_id: user.realm_id,
  user_type: "human",
  created_at: user.created_at,
  last_login_at: null,
  reference: null,
  username: "jo",
  email: user.email,
  email_verification: "none",
  first_name: "Jo",
  last_name: "Doe",
  name: "Jo Doe"
}

export const userToken = {
  id: "utk_7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA",
  object: "user_token",
  username: "sam",
  email: "sam@example.com",
  first_name: "Sam",
  last_name: null,
  credential_type: "password"
}

export const readUser = { ...user, custom: {}, credentials: [credential], membership_count: 1 }

export const readUserV1 = { ...userV1, custom: {}, credentials: [credential], membership_count: 1 }

export const robotV1 = {
  id: "usr_01m7y8xym7c9d2k4n6q8s0v3xz",
  object: "user",
  state: "active",
  realm_id: user.realm_id,
  user_type: "api",
  created_at: user.created_at,
  last_login_at: 1795238591.3,
  reference: null,
  username: "importer",
  email: null,
  name: "importer",
  custom: {},
  credentials: [{ ...credential, id: "crd_01m7y8xym8f3h5j7m9p1r4t6wb", credential_type: "api_key" }],
  membership_count: 0
}

export const membershipV1 = { ...membership, custom: { seat: 12 } }

export const sessionV1 = {
  id: session.id,
  object: "session",
  user_id: user.id,
  created_at: session.created_at,
  expires_at: session.expires_at,
  request: session.request
}

export const readSessionV1 = { ...sessionV1, user: { ...userV1, custom: {} } }

export const readSession = { ...session, token: "eyJhbGciOiJIUzI1NiIs…", user: { ...user, custom: {} } }
