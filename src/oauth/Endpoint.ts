import { type Cause, Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimits } from "#core/limits/RateLimits"
import { Realms } from "#core/realms/Realms"
import { RequestOrigin, userAgentOf } from "#domain/Event"
import { CurrentActor, visitorOf } from "#domain/EventActor"
import type { RateLimited } from "#domain/Limit"
import { type OAuthEndpointName, oauthEndpoints, oauthPath } from "#domain/oauth/OAuthPaths"
import type { OAuthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { makeBodyAdmission } from "#platform/BodyAdmission"
import { type Client, ClientAddress } from "#platform/ClientAddress"
import { CurrentRequestContext } from "#platform/RequestContext"
import { unavailabilityIn } from "#platform/Transaction"
import { errorResponse, noStore, rateLimitedResponse, refusalResponse } from "./Errors.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** A request to an endpoint of a realm. The realm can be inactive. */
export interface OAuthRequest {
  readonly http: HttpRequest
  readonly realm: Realm
  readonly client: Client
}

/**
 * Limits requests that are stored until a browser completes them and whose sender is not authenticated. They are counted per
 * address and per realm, so that nobody can fill the database (SEC-197).
 */
export const openRequestLimiter = Effect.map(RateLimits, (rateLimits) =>
  Effect.fnUntraced(function* ({ realm, client }: OAuthRequest) {
    yield* rateLimits.take("open_requests", `${realm.id} ${client.key}`, realm.limits)
    yield* rateLimits.take("open_requests_total", realm.id, realm.limits)
  })
)

/** Handles the requests of an endpoint. */
export type OAuthHandler = (
  request: OAuthRequest
) => Effect.Effect<HttpResponse, OAuthRefused | RateLimited | RealmNotFound, CurrentRealm>

/** The maximum number of concurrent requests. Requests beyond it get 503. */
const CONCURRENCY = 256

/** Redirects a browser to the hosted pages, with GET and without a referrer. */
export const redirectToPages = (location: string): HttpResponse =>
  HttpServerResponse.redirect(location, { status: 303, headers: { ...noStore, "referrer-policy": "no-referrer" } })

/** Returns the response while the service is overloaded or its database is unavailable. */
const unavailableResponse = (cause: Cause.Cause<never>): Effect.Effect<HttpResponse> => {
  const found = unavailabilityIn(cause)
  if (found === undefined) return Effect.failCause(cause)
  const headers = { "retry-after": String(found.retryAfterSeconds) }
  return Effect.map(CurrentRequestContext, (context) => {
    context.refusal = found
    return errorResponse(503, "temporarily_unavailable", "The service is not available at the moment.", headers)
  })
}

/** Adds the routes of endpoints. Each handler runs in the realm of its path and on behalf of the request's sender. */
export const endpointRoutes = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter
  const realms = yield* Realms
  const addresses = yield* ClientAddress
  const admission = makeAdmission({ name: "oauth", concurrency: CONCURRENCY, queueLimit: 0 })
  const bodies = makeBodyAdmission("oauth_bodies")

  const run = (http: HttpRequest, realm: Realm, handler: OAuthHandler) => {
    const peer = Option.getOrUndefined(http.remoteAddress)
    const client = addresses.of({ peer, forwardedFor: http.headers["x-forwarded-for"] })
    // A client that sends its body slowly must not occupy a slot of the realm in the meantime (SEC-198).
    const arrival = http.method === "POST" ? bodies.runOrDie(client.key, Effect.ignore(http.text)) : Effect.void
    const handled = admission.runOrDie(realm.id, handler({ http, realm, client }))
    return Effect.andThen(arrival, handled).pipe(
      Effect.provideService(CurrentRealm, realm),
      Effect.provideService(CurrentActor, visitorOf(null)),
      Effect.provideService(RequestOrigin, { ip: client.ip, client: userAgentOf(http.headers["user-agent"]) }),
      Effect.catchTags({
        OAuthRefused: (refused) => Effect.succeed(refusalResponse(refused)),
        RateLimited: (limited) => Effect.succeed(rateLimitedResponse(limited))
      })
    )
  }

  const methodNotAllowed = (allow: string) =>
    errorResponse(405, "invalid_request", `This endpoint takes ${allow}.`, { allow })

  return (name: OAuthEndpointName, handler: OAuthHandler) => {
    const methods: ReadonlyArray<string> = oauthEndpoints[name].methods
    return router.add("*", oauthPath(name, ":realm_id"), (http) =>
      methods.includes(http.method)
        ? HttpRouter.params.pipe(
            Effect.flatMap(({ realm_id: id = "" }) => realms.find(id)),
            Effect.flatMap((realm) => run(http, realm, handler)),
            Effect.catchTag("RealmNotFound", () =>
              Effect.succeed(errorResponse(404, "invalid_request", "There is no such realm."))
            ),
            Effect.catchCause(unavailableResponse)
          )
        : Effect.succeed(methodNotAllowed(methods.join(", ")))
    )
  }
})
