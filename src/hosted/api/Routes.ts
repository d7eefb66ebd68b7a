import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HostedOperationName, hostedOperations } from "#api/hosted/V1"
import { formatMessage } from "#api/Messages"
import type { Catalogue } from "#api/messages/Catalogue"
import { operatorApiPath } from "#domain/HostedPaths"
import { problem } from "#domain/Rejected"
import { withCookies } from "../cookies/CookieChanges.ts"
import { CrossOriginForm } from "../Form.ts"
import { challengeLimiter, rateLimiter } from "../RateLimit.ts"
import { type AppRequest, isRead, requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "../routes/BrowserRoutes.ts"
import { corsHeaders, isFromOtherSite, preflightHeaders } from "./Cors.ts"
import { type ApiFailure, type ErrorDetails, errorDetailsOf, JsonpRefused } from "./Errors.ts"
import { bodyInput, callbackIn, queryInput } from "./Input.ts"
import { isCallback, jsonp, jsonpHeaders } from "./Jsonp.ts"
import { operations } from "./Operations.ts"

/** The operations that don't count against the limits, because they don't check a secret that could be guessed (C45). */
const unlimited: ReadonlySet<HostedOperationName> = new Set<HostedOperationName>(["checkSession", "logout"])

/** The operations that start or end a browser session. */
const withCredentials: ReadonlySet<HostedOperationName> = new Set<HostedOperationName>([
  "login",
  "verifyLogin",
  "passkeyLogin",
  "signup",
  "logout"
])

const names = Object.keys(hostedOperations).filter((name): name is HostedOperationName =>
  Object.hasOwn(hostedOperations, name)
)

/** A request for an operation. */
interface ApiRequest extends AppRequest {
  /** Whether a page that does not belong to the app sent the request. */
  readonly isCrossOrigin: boolean
  /** The function that the response calls. Only a GET can have one. */
  readonly callback: string | undefined | JsonpRefused
}

const callbackOf = ({ http, app }: AppRequest): ApiRequest["callback"] => {
  const callback = isRead(http) ? callbackIn(http) : undefined
  if (callback === undefined) return undefined
  if (!app.allowJsonp) return new JsonpRefused({ why: "jsonp_off" })
  return isCallback(callback) ? callback : new JsonpRefused({ why: "callback_form" })
}

/**
 * Builds the request of an operation. Scripts on any site can read the response to a GET, so a GET must not depend on a cookie
 * (C42).
 */
const apiRequest = (request: AppRequest): ApiRequest => {
  const { http, app, origin: own } = request
  const { origin, referer, "sec-fetch-site": site } = http.headers
  return {
    ...request,
    ...(isRead(http) ? { knownBrowser: [] } : {}),
    isCrossOrigin: isFromOtherSite(app, own, { origin, referer, site, isRead: isRead(http) }),
    callback: callbackOf(request)
  }
}

/** The body of an error response, with each message and with all messages joined (`v1.hosted`). */
const failureBody = (name: HostedOperationName, catalogue: Catalogue, { problems }: ErrorDetails) => {
  const errors = problems.map((one) => formatMessage(catalogue, one))
  return { ...(name === "checkSession" ? { valid: false } : {}), error: errors.join(" "), errors }
}

const headersOf = (request: ApiRequest, name: HostedOperationName): Readonly<Record<string, string>> => ({
  ...corsHeaders(request.isCrossOrigin ? undefined : request.http.headers["origin"], withCredentials.has(name)),
  "content-language": request.context.catalogue.language
})

/** Builds the response: a script if the request names a function, otherwise JSON. The body is optional. */
const respond = (
  { callback }: ApiRequest,
  body: object | undefined,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  if (typeof callback === "string") {
    return HttpServerResponse.text(jsonp(callback, body ?? {}), { headers: { ...headers, ...jsonpHeaders } })
  }
  return body === undefined
    ? HttpServerResponse.empty({ status: 200, headers })
    : HttpServerResponse.jsonUnsafe(body, { headers })
}

const failureResponse = (request: ApiRequest, name: HostedOperationName, details: ErrorDetails) => {
  const { retryAfterSeconds } = details
  const retry = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }
  const body = failureBody(name, request.context.catalogue, details)
  return respond(request, body, { ...headersOf(request, name), ...retry })
}

/** Responds to preflight requests and to requests that are rejected before they are read. */
const preflight = (request: ApiRequest, name: HostedOperationName) => {
  const { http, context, callback } = request
  const headers = headersOf(request, name)
  if (http.method === "OPTIONS") {
    const allowed = request.isCrossOrigin ? {} : preflightHeaders
    return HttpServerResponse.empty({ status: 204, headers: { ...headers, ...allowed } })
  }
  if (!isRead(http) && http.method !== "POST") {
    const allowed = "GET, HEAD, POST, OPTIONS"
    const refusal = { problems: [problem(null, "method_not_allowed", { method: http.method, allowed })] }
    return HttpServerResponse.jsonUnsafe(failureBody(name, context.catalogue, refusal), {
      status: 405,
      headers: { ...headers, allow: allowed }
    })
  }
  return callback instanceof JsonpRefused ? failureResponse(request, name, errorDetailsOf(callback)) : undefined
}

/** The hosted login API for untrusted clients, on the hosts of connected apps (`v1.hosted`, C9, C40 to C42). */
export const HostedApiRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { findApp, findConsole } = yield* requestFinders
    const rateLimit = yield* rateLimiter
    const limitChallenge = yield* challengeLimiter
    const all = yield* operations

    const run = Effect.fnUntraced(function* (request: ApiRequest, name: HostedOperationName) {
      if (request.isCrossOrigin) return yield* new CrossOriginForm()
      const isPost = !isRead(request.http)
      if (name === "passkeyOptions") yield* limitChallenge(request)
      else if (!unlimited.has(name)) yield* rateLimit(request)
      const input = yield* isPost ? bodyInput(request.http) : queryInput(request.http)
      return yield* all[name]({ request, input, isPost })
    })

    const handlerFor = (find: typeof findApp) =>
      serve({
        find: (http) => Effect.map(find(http), apiRequest),
        preflight,
        handle: (request, name: HostedOperationName) =>
          Effect.map(run(request, name), (result) =>
            withCookies(request.origin, result)(respond(request, result.body, headersOf(request, name)))
          ),
        failed: (request, failure: ApiFailure, name) => failureResponse(request, name, errorDetailsOf(failure)),
        missing: (context, _, name) => {
          const body = failureBody(name, context.catalogue, { problems: [problem(null, "no_such_address")] })
          return HttpServerResponse.jsonUnsafe(body, { status: 404 })
        },
        unavailable: (_, found, known) =>
          known === undefined
            ? undefined
            : failureResponse(known.request, known.route, { ...found, problems: [problem(null, found.code)] })
      })

    const handler = handlerFor(findApp)
    for (const name of names) yield* addRoute(router, hostedOperations[name].path, handler(name))
    // The only operation that the pages for operators call.
    const { path } = hostedOperations.passkeyOptions
    yield* addRoute(router, operatorApiPath(path), handlerFor(findConsole)("passkeyOptions"))
  })
)
