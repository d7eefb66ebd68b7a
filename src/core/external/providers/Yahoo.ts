import type { Preset } from "./Preset.ts"
import { standardClaims } from "./ProviderClaims.ts"
import { basic, formRequest, isOursByIntrospection } from "./TokenIntrospection.ts"

/** Yahoo, with OpenID Connect. */
export const Yahoo: Preset = {
  endpoints: {
    authorization: "https://api.login.yahoo.com/oauth2/request_auth",
    token: "https://api.login.yahoo.com/oauth2/get_token",
    profile: "https://api.login.yahoo.com/openid/v1/userinfo",
    inspection: "https://api.login.yahoo.com/oauth2/introspect",
    keys: "https://api.login.yahoo.com/openid/v1/certs"
  },
  scopes: ["openid", "email", "profile"],
  supportsPkce: true,
  idTokens: {
    issuer: "https://api.login.yahoo.com",
    algorithms: ["ES256", "RS256"],
    nonce: true,
    subjectIsProfileId: true
  },
  clientSecret: "basic",
  retryParameters: { prompt: "login" },
  claimsOf: standardClaims,
  inspection: {
    request: (client, endpoint, accessToken) =>
      formRequest(endpoint, { token: accessToken }, { authorization: basic(client) }),
    isOurs: isOursByIntrospection
  }
}
