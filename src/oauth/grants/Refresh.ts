import { Effect } from "effect"
import { RefreshRotation } from "#core/oauth/RefreshRotation"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import type { GrantHandler } from "./GrantRequest.ts"

/** `grant_type=refresh_token` (RFC 6749 §6). */
export const refresh = Effect.map(
  RefreshRotation,
  (rotation): GrantHandler =>
    ({ client, params, jkt }) => {
      const refreshToken = params.get("refresh_token")
      return refreshToken === undefined
        ? oauthRefused("refresh_token_missing")
        : rotation.refresh({
            client,
            refreshToken,
            jkt,
            scope: params.get("scope"),
            resources: params.all("resource")
          })
    }
)
