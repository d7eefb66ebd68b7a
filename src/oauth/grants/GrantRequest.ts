import type { Effect } from "effect"
import type { IssuedTokens } from "#core/oauth/IssuedTokens"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { RateLimited } from "#domain/Limit"
import type { OAuthRefused } from "#domain/oauth/OAuthProblem"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { OAuthParams } from "../Params.ts"

/** A token request. The client is authenticated and allowed to use the grant type. */
export interface GrantRequest {
  readonly client: OAuthClient
  readonly params: OAuthParams
  /** The key thumbprint of the request's DPoP proof, or null if the request has no proof. */
  readonly jkt: string | null
}

/** Handles the token requests of one grant type. */
export type GrantHandler = (
  request: GrantRequest
) => Effect.Effect<IssuedTokens, OAuthRefused | RateLimited | RealmNotFound, CurrentRealm>
