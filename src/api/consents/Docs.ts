import { documentGroup, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { ConsentsV1, ConsentsV2 } from "./Endpoints.ts"

const consent = {
  id: "cns_01m7y8z0q4w8r1d5e9b3k7n2v6",
  object: "consent",
  user_id: user.id,
  scopes: ["openid", "profile"],
  resources: [],
  created_at: 1795238600.1,
  updated_at: 1795238600.1
} as const

const clientId = "lpl_01m7y8w3f1c5h9x2a6t0p4s8zj"

const about =
  "Lasting permissions that users have given to OAuth clients, so that they aren't asked again. They exist only for clients whose `consent` is `ask`."

const docs = {
  list: {
    summary: "List consents",
    description: "Lists the consents of a user, of a client or of the entire realm."
  },
  get: { summary: "Get a consent" },
  delete: {
    summary: "Revoke a consent",
    description:
      "The next time the client requests access, the user is asked again. Revokes the user's grants to the client. Events: `oauth.consent.revoked`, then `oauth.grant.revoked` for each grant that was active."
  }
} as const

export const consentsV1 = documentGroup(ConsentsV1, about, {
  list: { ...docs.list, response: page({ ...consent, login_policy_id: clientId }) },
  get: { ...docs.get, response: { ...consent, login_policy_id: clientId } },
  delete: docs.delete
})

export const consentsV2 = documentGroup(ConsentsV2, about, {
  list: { ...docs.list, response: page({ ...consent, client_app_id: clientId }) },
  get: { ...docs.get, response: { ...consent, client_app_id: clientId } },
  delete: docs.delete
})
