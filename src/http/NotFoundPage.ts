import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * The page that browsers get at an unknown address (404) or for an invalid request (400 or 415). Undefined: the service has no
 * page here, and browsers get the same response as programs.
 */
export const NotFoundPage = Context.Reference<
  | ((
      request: HttpServerRequest.HttpServerRequest,
      status: 400 | 404 | 415
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse>)
  | undefined
>("sallyport/http/NotFoundPage", { defaultValue: () => undefined })
