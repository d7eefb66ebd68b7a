import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Revocation } from "#core/oauth/Revocation"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import { type ClientRequest, clientEndpoints } from "./ClientEndpoint.ts"
import { noStore } from "./Errors.ts"

/** The revocation endpoint (RFC 7009). Ignores `token_type_hint`, because the token itself shows its kind. */
export const revokeEndpoint = Effect.gen(function* () {
  const clientEndpoint = yield* clientEndpoints
  const revocation = yield* Revocation

  const revoke = Effect.fnUntraced(function* ({ params, oauthClient }: ClientRequest) {
    const token = params.get("token")
    if (token === undefined) return yield* oauthRefused("token_missing")
    yield* revocation.revoke(oauthClient, token)
    return HttpServerResponse.empty({ status: 200, headers: noStore })
  })

  return clientEndpoint(revoke)
})
