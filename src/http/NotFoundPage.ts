import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * The page that tells a browser that there is nothing at the address that it asked for. Undefined: the service has no pages
 * here, and answers browsers as it answers programs.
 */
export const NotFoundPage = Context.Reference<
  ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>) | undefined
>("sallyport/http/NotFoundPage", { defaultValue: () => undefined })
