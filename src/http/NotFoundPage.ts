import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * The page that browsers get for an unknown address (404) or an invalid request (400 or 415). Undefined if the service has no
 * page; browsers then get the same JSON as programs.
 */
export const NotFoundPage = Context.Reference<
  | ((
      request: HttpServerRequest.HttpServerRequest,
      status: 400 | 404 | 415
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse>)
  | undefined
>("sallyport/http/NotFoundPage", { defaultValue: () => undefined })
