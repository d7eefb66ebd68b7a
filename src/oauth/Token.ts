import { Effect, Metric } from "effect"
import { HttpServerResponse } from "effect/http"
import { Issuer } from "#core/keys/Issuer"
import { DpopProofs } from "#core/oauth/DpopProofs"
import type { IssuedTokens } from "#core/oauth/IssuedTokens"
import { type GrantType, grantTypes, type OAuthClient } from "#domain/clients/OAuthClient"
import { oauthErrorOf, oauthRefused } from "#domain/oauth/OAuthProblem"
import { type ClientRequest, clientEndpoints } from "./ClientEndpoint.ts"
import { noStore } from "./Errors.ts"
import type { GrantHandler } from "./grants/GrantRequest.ts"
import { grants } from "./grants/Grants.ts"

const requests = Metric.counter("oauth_token_requests_total", {
  description: "Token requests by authenticated clients, by grant type and result: issued, or the error code.",
  incremental: true
})

const countRequest = (grant_type: GrantType, result: string) =>
  Metric.update(Metric.withAttributes(requests, { grant_type, result }), 1)

const isGrantType = (text: string): text is GrantType => grantTypes.some((type) => type === text)

/** Returns the response with the issued tokens (RFC 6749 §5.1). */
const tokenResponse = (tokens: IssuedTokens) =>
  HttpServerResponse.jsonUnsafe(
    {
      access_token: tokens.accessToken,
      token_type: tokens.tokenType,
      expires_in: tokens.expiresIn,
      ...(tokens.scopes.length === 0 ? {} : { scope: tokens.scopes.join(" ") }),
      ...(tokens.refreshToken === null ? {} : { refresh_token: tokens.refreshToken }),
      ...(tokens.idToken === null ? {} : { id_token: tokens.idToken })
    },
    { headers: { ...noStore, pragma: "no-cache" } }
  )

/**
 * The token endpoint (RFC 6749 §3.2). It authenticates the client, checks the DPoP proof and calls the handler of the grant
 * type.
 */
export const tokenEndpoint = Effect.gen(function* () {
  const clientEndpoint = yield* clientEndpoints
  const issuer = yield* Issuer
  const proofs = yield* DpopProofs
  const handlers: Readonly<Partial<Record<GrantType, GrantHandler>>> = yield* grants

  const proofKey = Effect.fnUntraced(function* ({ http, realm }: ClientRequest, { requireDpop }: OAuthClient) {
    const proof = http.headers["dpop"]
    if (proof !== undefined) {
      return yield* proofs.verify({ proof, method: http.method, url: issuer.endpoint("token", realm.id) })
    }
    return requireDpop ? yield* oauthRefused("proof_missing") : null
  })

  const token = Effect.fnUntraced(function* (request: ClientRequest) {
    const { realm, params, oauthClient: client } = request
    const type = params.get("grant_type")
    if (realm.state !== "active") return yield* oauthRefused("realm_inactive")
    if (type === undefined) return yield* oauthRefused("grant_type_missing")
    const handler = isGrantType(type) ? handlers[type] : undefined
    if (handler === undefined || !isGrantType(type)) return yield* oauthRefused("grant_type_unknown")
    if (!client.grantTypes.includes(type)) return yield* oauthRefused("grant_type_not_allowed")
    return yield* Effect.flatMap(proofKey(request, client), (jkt) => handler({ client, params, jkt })).pipe(
      Effect.tap(() => countRequest(type, "issued")),
      Effect.tapError((error) =>
        countRequest(type, error._tag === "OAuthRefused" ? oauthErrorOf(error).error : "rate_limited")
      ),
      Effect.map(tokenResponse)
    )
  })

  return clientEndpoint(token)
})
