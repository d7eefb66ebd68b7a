import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Issuer } from "#core/keys/Issuer"
import { RateLimits } from "#core/limits/RateLimits"
import { ClientRegistrations } from "#core/oauth/ClientRegistrations"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import { anyOrigin, preflight } from "../Cors.ts"
import type { OAuthHandler, OAuthRequest } from "../Endpoint.ts"
import { noStore, rateLimitedResponse } from "../Errors.ts"
import { bearerIn, registrationRefusal } from "./Bearer.ts"
import { informationResponse } from "./Information.ts"
import { metadataResponses, sentMetadata } from "./Metadata.ts"

/** Returns the client ID in the path of a registration. */
const clientInPath = ({ url }: HttpServerRequest.HttpServerRequest): string =>
  url.split("?", 1).join("").split("/").at(-1) ?? ""

/** The client configuration endpoint (RFC 7592), where a client reads, replaces or deletes its own registration. */
export const registrationEndpoint = Effect.gen(function* () {
  const issuer = yield* Issuer
  const rateLimits = yield* RateLimits
  const registrations = yield* ClientRegistrations

  const manage = Effect.fnUntraced(function* ({ http, realm, client }: OAuthRequest) {
    const token = bearerIn(http)
    yield* rateLimits.take("oauth", `${realm.id} registration ${client.key}`, realm.limits)
    if (token === undefined) return yield* oauthRefused("registration_token_invalid")
    const holder = { id: clientInPath(http), token }
    if (http.method === "DELETE") {
      yield* registrations.delete(holder)
      return HttpServerResponse.empty({ status: 204, headers: { ...noStore, ...anyOrigin } })
    }
    if (http.method === "GET") return informationResponse(yield* registrations.read(holder), issuer, 200)
    const metadata = yield* sentMetadata(http)
    return informationResponse(yield* registrations.update(holder, metadata), issuer, 200)
  })

  const handler: OAuthHandler = (request) =>
    request.http.method === "OPTIONS"
      ? Effect.succeed(preflight("GET, PUT, DELETE"))
      : manage(request).pipe(
          Effect.catchTags({
            ...metadataResponses(anyOrigin),
            OAuthRefused: (refused) => Effect.succeed(registrationRefusal(refused, request.realm.id)),
            RateLimited: (limited) => Effect.succeed(rateLimitedResponse(limited, anyOrigin))
          })
        )
  return handler
})
