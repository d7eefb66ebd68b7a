import { Effect } from "effect"
import { Issuer } from "#core/keys/Issuer"
import { ClientRegistrations } from "#core/oauth/ClientRegistrations"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import { anyOrigin, preflight } from "../Cors.ts"
import type { OAuthHandler, OAuthRequest } from "../Endpoint.ts"
import { rateLimitedResponse, refusalResponse } from "../Errors.ts"
import { bearerIn, registrationRefusal } from "./Bearer.ts"
import { informationResponse } from "./Information.ts"
import { metadataResponses, sentMetadata } from "./Metadata.ts"

/** The `Retry-After` in seconds if the realm has reached its maximum number of clients. */
const LIMIT_RETRY_SECONDS = 3_600

/** The client registration endpoint (RFC 7591). Pages of any origin can read its responses. */
export const registerEndpoint = Effect.gen(function* () {
  const issuer = yield* Issuer
  const registrations = yield* ClientRegistrations

  const register = Effect.fnUntraced(function* ({ http, client: from }: OAuthRequest) {
    const metadata = yield* sentMetadata(http)
    const key = bearerIn(http)
    if (key === undefined && http.headers["authorization"] !== undefined) return yield* oauthRefused("token_invalid")
    return informationResponse(yield* registrations.register({ metadata, key, from }), issuer, 201)
  })

  const handler: OAuthHandler = (request) =>
    request.http.method === "OPTIONS"
      ? Effect.succeed(preflight("POST"))
      : Effect.catchTags(register(request), {
          ...metadataResponses(anyOrigin),
          OAuthRefused: (refused) => Effect.succeed(registrationRefusal(refused, request.realm.id)),
          RateLimited: (limited) => Effect.succeed(rateLimitedResponse(limited, anyOrigin)),
          TooManyClients: () => {
            const headers = { ...anyOrigin, "retry-after": String(LIMIT_RETRY_SECONDS) }
            return Effect.succeed(refusalResponse(oauthRefused("clients_full"), headers))
          }
        })
  return handler
})
