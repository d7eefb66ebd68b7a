import type { Preset } from "./Preset.ts"
import { memberAt, standardClaims } from "./ProviderClaims.ts"
import { getRequest } from "./TokenIntrospection.ts"

/** Google, with OpenID Connect. */
export const Google: Preset = {
  endpoints: {
    authorization: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    profile: "https://openidconnect.googleapis.com/v1/userinfo",
    inspection: "https://oauth2.googleapis.com/tokeninfo",
    keys: "https://www.googleapis.com/oauth2/v3/certs"
  },
  scopes: ["openid", "email", "profile"],
  supportsPkce: true,
  idTokens: { issuer: "https://accounts.google.com", algorithms: ["RS256"], nonce: true, subjectIsProfileId: true },
  clientSecret: "post",
  retryParameters: { prompt: "select_account" },
  claimsOf: standardClaims,
  inspection: {
    request: (_, endpoint, accessToken) => getRequest(endpoint, { access_token: accessToken }),
    isOurs: (answer, clientId) => memberAt(answer, "aud") === clientId
  }
}
