import type { Preset } from "./Preset.ts"
import { standardClaims } from "./ProviderClaims.ts"

/** The scopes for which Apple returns the browser only by a posted form. */
const postedScopes = new Set(["name", "email"])

/**
 * Sign in with Apple, with OpenID Connect. It has no profile endpoint: the email is in the ID token, and the name is in the
 * form of the first login only (C299). Apple ignores code challenges (PKCE).
 */
export const Apple: Preset = {
  endpoints: {
    authorization: "https://appleid.apple.com/auth/authorize",
    token: "https://appleid.apple.com/auth/token",
    keys: "https://appleid.apple.com/auth/keys"
  },
  scopes: ["name", "email"],
  supportsPkce: false,
  idTokens: {
    issuer: "https://appleid.apple.com",
    algorithms: ["RS256"],
    nonce: true,
    subjectIsProfileId: true,
    containsProfile: true
  },
  clientSecret: "post",
  responseMode: (scopes) => (scopes.some((scope) => postedScopes.has(scope)) ? "form_post" : "query"),
  retryParameters: {},
  claimsOf: standardClaims
}
