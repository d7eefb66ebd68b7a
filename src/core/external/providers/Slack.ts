import type { Preset } from "./Preset.ts"
import { standardClaims } from "./ProviderClaims.ts"

/** Sign in with Slack, with OpenID Connect. Slack has no endpoint that reports to which client an access token was issued. */
export const Slack: Preset = {
  endpoints: {
    authorization: "https://slack.com/openid/connect/authorize",
    token: "https://slack.com/api/openid.connect.token",
    profile: "https://slack.com/api/openid.connect.userInfo",
    keys: "https://slack.com/openid/connect/keys"
  },
  scopes: ["openid", "email", "profile"],
  supportsPkce: true,
  idTokens: { issuer: "https://slack.com", algorithms: ["RS256"], nonce: true, subjectIsProfileId: true },
  clientSecret: "post",
  retryParameters: {},
  claimsOf: standardClaims
}
