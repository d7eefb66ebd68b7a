import type { ConsentBodyV1, ConsentBodyV2 } from "#api/consents/Endpoints"
import type { OAuthConsent } from "#domain/oauth/OAuthConsent"
import { timeT } from "../WireMapping.ts"

const members = ({ id, userId, scopes, resources, createdAt, updatedAt }: OAuthConsent) => ({
  id,
  object: "consent" as const,
  user_id: userId,
  scopes,
  resources,
  created_at: timeT(createdAt),
  updated_at: timeT(updatedAt)
})

/** A consent under `/v1`. */
export const consentBodyV1 = (consent: OAuthConsent): typeof ConsentBodyV1.Type => ({
  ...members(consent),
  login_policy_id: consent.clientId
})

/** A consent under `/v2`. */
export const consentBodyV2 = (consent: OAuthConsent): typeof ConsentBodyV2.Type => ({
  ...members(consent),
  client_app_id: consent.clientId
})
