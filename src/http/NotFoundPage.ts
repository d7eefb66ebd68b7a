import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * The page for browsers whose address leads nowhere (404) or whose request can't be read (400 or 415). Undefined: the service has no
 * pages here, and answers browsers as it answers programs.
 */
export const NotFoundPage = Context.Reference<
  | ((
      request: HttpServerRequest.HttpServerRequest,
      status: 400 | 404 | 415
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse>)
  | undefined
>("sallyport/http/NotFoundPage", { defaultValue: () => undefined })
