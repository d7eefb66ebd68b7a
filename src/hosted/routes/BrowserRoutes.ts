import { Effect } from "effect"
import type { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** The methods that browsers send. The router treats HEAD as GET. Other methods have no handler and get 405. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Adds a route whose handler rejects methods itself. With `*`, the router would add the route for 35 methods and compare each
 * one with all existing routes, which takes 10 to 60 ms at every start.
 */
export const addRoute = <E, R>(
  router: HttpRouter.HttpRouter,
  path: HttpRouter.PathInput,
  handler: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => Effect.forEach(methods, (method) => router.add(method, path, handler), { discard: true })
