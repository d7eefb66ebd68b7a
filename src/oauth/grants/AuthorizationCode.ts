import { Effect } from "effect"
import { CodeRedemptions } from "#core/oauth/CodeRedemptions"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import type { GrantHandler } from "./GrantRequest.ts"

/** `grant_type=authorization_code` (RFC 6749 §4.1.3). */
export const authorizationCode = Effect.map(
  CodeRedemptions,
  (redemptions): GrantHandler =>
    ({ client, params, jkt }) => {
      const code = params.get("code")
      return code === undefined
        ? oauthRefused("code_missing")
        : redemptions.redeem({
            client,
            code,
            redirectUri: params.get("redirect_uri"),
            codeVerifier: params.get("code_verifier"),
            jkt,
            resources: params.all("resource")
          })
    }
)
