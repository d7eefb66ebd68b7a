import { Effect } from "effect"
import { userinfoClaims } from "#domain/oauth/OAuthClaims"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm } from "#domain/Realm"
import { Issuer } from "../keys/Issuer.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { DpopProofs } from "./DpopProofs.ts"
import { OAuthTokenIssuer } from "./OAuthTokenIssuer.ts"

/** An access token presented in a request. */
export interface PresentedToken {
  readonly token: string
  readonly scheme: "Bearer" | "DPoP"
  /** The value of the `DPoP` header. */
  readonly proof: string | undefined
  readonly method: string
}

/** Makes the function that returns a user's claims to the client that the user logged in to (OpenID Connect Core §5.3). */
export const userinfoReader = Effect.gen(function* () {
  const accessTokens = yield* AccessTokens
  const issuer = yield* Issuer
  const proofs = yield* DpopProofs
  const tokens = yield* OAuthTokenIssuer

  const claims = Effect.fn("Userinfo.claims")(function* ({ token: text, scheme, proof, method }: PresentedToken) {
    const { id: realmId } = yield* CurrentRealm
    const found = yield* accessTokens.live(text)
    // A token for a resource server is rejected. Otherwise that server could use it on behalf of the client (SEC-154).
    if (found === undefined || !found.token.audience.includes(issuer.of(realmId))) {
      return yield* oauthRefused("token_invalid")
    }
    const { token, client, owner } = found
    if (scheme === "Bearer" && token.jkt !== null) return yield* oauthRefused("token_bound")
    if (scheme === "DPoP") {
      if (token.jkt === null) return yield* oauthRefused("token_unbound")
      if (proof === undefined) return yield* oauthRefused("proof_missing")
      const url = issuer.endpoint("userinfo", realmId)
      const jkt = yield* proofs.verify({ proof, method, url, accessToken: text })
      if (jkt !== token.jkt) return yield* oauthRefused("token_invalid")
    }
    if (owner === null || !token.scopes.includes("openid")) return yield* oauthRefused("scope_insufficient")
    return userinfoClaims(yield* tokens.subject(owner, token.scopes), owner.grant, client, token.scopes)
  })

  return claims
})
