import type { Preset } from "./Preset.ts"
import { standardClaims } from "./ProviderClaims.ts"
import { isOursByIntrospection, posting } from "./TokenIntrospection.ts"

/** LinkedIn, by OpenID Connect: it repeats no nonce, and refuses a code that comes with a verifier. */
export const Linkedin: Preset = {
  endpoints: {
    authorization: "https://www.linkedin.com/oauth/v2/authorization",
    token: "https://www.linkedin.com/oauth/v2/accessToken",
    profile: "https://api.linkedin.com/v2/userinfo",
    inspection: "https://www.linkedin.com/oauth/v2/introspectToken",
    keys: "https://www.linkedin.com/oauth/openid/jwks"
  },
  scopes: ["openid", "profile", "email"],
  challenge: false,
  idTokens: { issuer: "https://www.linkedin.com/oauth", algorithms: ["RS256"], nonce: false, names: true },
  clientSecret: "post",
  retry: {},
  person: standardClaims,
  inspection: {
    question: ({ provider, secret }, endpoint, accessToken) =>
      posting(endpoint, { client_id: provider.clientId, client_secret: secret, token: accessToken }),
    isOurs: isOursByIntrospection
  }
}
