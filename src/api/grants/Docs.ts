import { documentGroup, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { GrantsV1, GrantsV2 } from "./Endpoints.ts"

const grant = {
  id: "gr_01m7y8z0q4w8r1d5e9b3k7n2v6",
  object: "grant",
  state: "active",
  user_id: user.id,
  session_id: "kss_01m7y8xym4fzt8kz1tw7y2m8j8",
  scopes: ["openid", "profile", "offline_access"],
  resources: [],
  org_id: null,
  created_at: 1795238600.1,
  last_used_at: 1795242200.7,
  expires_at: 1797830600.1,
  ended_at: null
} as const

const clientId = "lpl_01m7y8w3f1c5h9x2a6t0p4s8zj"

const grantV1 = { ...grant, login_policy_id: clientId } as const
const grantV2 = { ...grant, client_app_id: clientId } as const

const about =
  "The access that users have given to OAuth clients. All tokens of one authorization belong to a grant, and they work only while the grant is active."

const docs = {
  list: {
    summary: "List grants",
    description: "Lists the unexpired grants of a user, of a client or of the entire realm, including ended grants."
  },
  get: { summary: "Get a grant" },
  delete: {
    summary: "Revoke a grant",
    description:
      "The grant's tokens stop working immediately. Only resource servers that verify access tokens locally accept them until they expire. Has no effect on a grant that has already ended. The user stays logged in to the client, which may ask for access again; to prevent this, make the user or the client inactive. Event, if the grant was active: `oauth.grant.revoked`."
  }
} as const

export const grantsV1 = documentGroup(GrantsV1, about, {
  list: { ...docs.list, response: page(grantV1) },
  get: { ...docs.get, response: grantV1 },
  delete: docs.delete
})

export const grantsV2 = documentGroup(GrantsV2, about, {
  list: { ...docs.list, response: page(grantV2) },
  get: { ...docs.get, response: grantV2 },
  delete: docs.delete
})
