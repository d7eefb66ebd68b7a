import { Context } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AuthorizationRefused } from "#domain/oauth/AuthorizationRequest"
import type { AuthorizationResponse } from "#domain/oauth/AuthorizationResponse"
import type { Realm } from "#domain/Realm"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** The HTML responses of OAuth endpoints, in the style of the hosted pages. */
export class HtmlResponse extends Context.Service<
  HtmlResponse,
  {
    /** Shows users the error in a request that can't be sent back to a client. */
    readonly refused: (
      http: HttpRequest,
      realm: Realm,
      refusal: Pick<AuthorizationRefused, "reason" | "wayBack">
    ) => HttpResponse
    /** Asks users to wait and try again. */
    readonly limited: (http: HttpRequest, realm: Realm, retryAfterSeconds: number) => HttpResponse
    /** Sends an authorization response to the client, by a redirect or by a form that the browser posts. */
    readonly respond: (http: HttpRequest, realm: Realm, response: AuthorizationResponse) => HttpResponse
  }
>()("sallyport/oauth/HtmlResponse") {}
