import type { Effect } from "effect"
import type { IssuedTokens } from "#core/oauth/IssuedTokens"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { RateLimited } from "#domain/Limit"
import type { OAuthRefused } from "#domain/oauth/OAuthProblem"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { OAuthParams } from "../Params.ts"

/** A token request of a client that is authenticated and may use the grant type. */
export interface GrantRequest {
  readonly client: OAuthClient
  readonly params: OAuthParams
  /** The thumbprint of the key of the request's DPoP proof. Null: it has none. */
  readonly jkt: string | null
}

/** What one grant type does with a token request. */
export type GrantHandler = (
  request: GrantRequest
) => Effect.Effect<IssuedTokens, OAuthRefused | RateLimited | RealmNotFound, CurrentRealm>
