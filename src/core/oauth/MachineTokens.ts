import { Effect } from "effect"
import { isConfidential, type OAuthClient } from "#domain/clients/OAuthClient"
import { standardScopes } from "#domain/clients/OAuthScope"
import { OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm } from "#domain/Realm"
import { Issuer } from "../keys/Issuer.ts"
import { grantedAccess, type TokenRequest } from "./IssuedTokens.ts"
import { OAuthTokenIssuer } from "./OAuthTokenIssuer.ts"

/** A token request by a client that acts for itself. */
export interface MachineTokenRequest extends TokenRequest {
  readonly client: OAuthClient
  readonly jkt: string | null
}

/** The scopes about users. A client that acts for itself can't have them. */
const userScopes: ReadonlyArray<string> = standardScopes

/** Makes the function that issues access tokens to clients that act for themselves (RFC 6749 §4.4). */
export const machineTokenIssuer = Effect.gen(function* () {
  const issuer = yield* Issuer
  const tokens = yield* OAuthTokenIssuer

  const issue = Effect.fn("MachineTokens.issue")(function* ({ client, jkt, ...demand }: MachineTokenRequest) {
    const { id: realmId } = yield* CurrentRealm
    if (!isConfidential(client)) return yield* oauthRefused("grant_type_not_allowed")
    const scopes = client.allowedScopes.filter((scope) => !userScopes.includes(scope))
    const granted = grantedAccess(issuer.of(realmId), client, { scopes, resources: client.resources }, demand)
    if (granted instanceof OAuthRefused) return yield* granted
    return yield* tokens.issue({ ...granted, client, owner: null, jkt, nonce: null, refreshToken: null })
  })

  return issue
})
