import { Effect } from "effect"
import type { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** The methods that browsers send; the router answers HEAD as GET. For any other the service has no handler: 405. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Adds an address whose handler refuses methods itself. With `*` the router adds it for 35 methods, and compares each with all
 * that came before, which takes 10 to 60 ms of each start.
 */
export const addRoute = <E, R>(
  router: HttpRouter.HttpRouter,
  path: HttpRouter.PathInput,
  handler: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => Effect.forEach(methods, (method) => router.add(method, path, handler), { discard: true })
