import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Issuer } from "#core/keys/Issuer"
import { AuthorizationRequests } from "#core/oauth/AuthorizationRequests"
import { ClientDocuments } from "#core/oauth/ClientDocuments"
import { DpopProofs } from "#core/oauth/DpopProofs"
import { clientIdOf, isConfidential } from "#domain/clients/OAuthClient"
import { paramsIn } from "#domain/oauth/AuthorizationParams"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import { type ClientRequest, clientEndpoints } from "../ClientEndpoint.ts"
import type { OAuthHandler, OAuthRequest } from "../Endpoint.ts"
import { openRequestLimiter } from "../Endpoint.ts"
import { noStore } from "../Errors.ts"
import { formParams, formText } from "../Params.ts"

/** The pushed authorization request endpoint (RFC 9126). Errors are JSON, as at all back-channel endpoints. */
export const parEndpoint = Effect.gen(function* () {
  const clientEndpoint = yield* clientEndpoints
  const count = yield* openRequestLimiter
  const documents = yield* ClientDocuments
  const issuer = yield* Issuer
  const proofs = yield* DpopProofs
  const requests = yield* AuthorizationRequests

  /** Returns `dpop_jkt` for a request with a DPoP proof. Only the key of that proof can redeem the code (RFC 9449 §10.1). */
  const provedKey = Effect.fnUntraced(function* ({ http, realm, params }: ClientRequest) {
    const proof = http.headers["dpop"]
    if (proof === undefined) return {}
    const url = issuer.endpoint("par", realm.id)
    const thumbprint = yield* proofs.verify({ proof, method: http.method, url })
    const named = params.get("dpop_jkt") ?? thumbprint
    return named === thumbprint ? { dpop_jkt: [thumbprint] } : yield* oauthRefused("dpop_jkt_mismatch")
  })

  const push = Effect.fnUntraced(function* (request: ClientRequest) {
    const { http, oauthClient } = request
    if (!isConfidential(oauthClient)) yield* count(request)
    const form = paramsIn(new URLSearchParams(yield* formText(http)))
    // A client that authenticates in the header can omit `client_id` in the form (RFC 9126 §2.1).
    const sent = { client_id: [clientIdOf(oauthClient)], ...form, ...(yield* provedKey(request)) }
    const { requestUri, expiresIn } = yield* requests
      .push(oauthClient, sent)
      .pipe(Effect.catchTag("AuthorizationRefused", ({ reason }) => Effect.fail(oauthRefused(reason))))
    return HttpServerResponse.jsonUnsafe(
      { request_uri: requestUri, expires_in: expiresIn },
      { status: 201, headers: noStore }
    )
  })

  const endpoint = clientEndpoint(push)
  const handler: OAuthHandler = Effect.fnUntraced(function* (request: OAuthRequest) {
    const { http, client } = request
    if (http.method === "POST") yield* documents.refresh((yield* formParams(http)).get("client_id"), client)
    return yield* endpoint(request)
  })
  return handler
})
