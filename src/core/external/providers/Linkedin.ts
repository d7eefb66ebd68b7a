import type { Preset } from "./Preset.ts"
import { standardClaims } from "./ProviderClaims.ts"
import { formRequest, isOursByIntrospection } from "./TokenIntrospection.ts"

/** LinkedIn, with OpenID Connect. Its ID tokens contain no nonce, and it rejects code verifiers (PKCE). */
export const Linkedin: Preset = {
  endpoints: {
    authorization: "https://www.linkedin.com/oauth/v2/authorization",
    token: "https://www.linkedin.com/oauth/v2/accessToken",
    profile: "https://api.linkedin.com/v2/userinfo",
    inspection: "https://www.linkedin.com/oauth/v2/introspectToken",
    keys: "https://www.linkedin.com/oauth/openid/jwks"
  },
  scopes: ["openid", "profile", "email"],
  supportsPkce: false,
  idTokens: { issuer: "https://www.linkedin.com/oauth", algorithms: ["RS256"], nonce: false, subjectIsProfileId: true },
  clientSecret: "post",
  retryParameters: {},
  claimsOf: standardClaims,
  inspection: {
    request: ({ provider, secret }, endpoint, accessToken) =>
      formRequest(endpoint, { client_id: provider.clientId, client_secret: secret, token: accessToken }),
    isOurs: isOursByIntrospection
  }
}
