// A sample org, user, membership and request attributes, used in the docs of several resources.

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
} as const

export const org = {
  id: "org_01m7y8xykvemj4x8g8j25c0nkx",
  object: "org",
  state: "active",
  name: "Jo & Sons",
  realm_id: user.realm_id,
  reference: null,
  created_at: 1795238591.171
} as const

export const membership = {
  id: "mb_01m7y8xykx4tn8tcrmm2ttk0q3",
  object: "membership",
  org_id: org.id,
  user_id: user.id,
  permissions: ["ar:owner", "billing:read"],
  expires_at: null
} as const

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
} as const

export const membershipV1 = { ...membership, custom: { seat: 12 } } as const

export const request = { ip: "203.0.113.7", client: "curl" } as const
