import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Introspection } from "#core/oauth/Introspection"
import { isConfidential } from "#domain/clients/OAuthClient"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import { type ClientRequest, clientEndpoints } from "./ClientEndpoint.ts"
import { noStore } from "./Errors.ts"

/** The introspection endpoint (RFC 7662), for confidential clients. */
export const introspectEndpoint = Effect.gen(function* () {
  const clientEndpoint = yield* clientEndpoints
  const introspection = yield* Introspection

  const introspect = Effect.fnUntraced(function* ({ params, oauthClient }: ClientRequest) {
    const token = params.get("token")
    if (!isConfidential(oauthClient)) return yield* oauthRefused("client_unknown")
    if (token === undefined) return yield* oauthRefused("token_missing")
    const found = yield* introspection.introspect(oauthClient, token)
    return HttpServerResponse.jsonUnsafe(found ?? { active: false }, { headers: noStore })
  })

  return clientEndpoint(introspect)
})
