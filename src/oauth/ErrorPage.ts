import { Context } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AuthorizationRefused } from "#domain/oauth/AuthorizationRequest"
import type { AuthorizationResponse } from "#domain/oauth/AuthorizationResponse"
import type { Realm } from "#domain/Realm"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** The pages that browsers see at OAuth endpoints, in the look of the hosted pages. */
export class ErrorPage extends Context.Service<
  ErrorPage,
  {
    /** Tells a person what is wrong with a request whose client can't be told. */
    readonly refused: (
      http: HttpRequest,
      realm: Realm,
      refusal: Pick<AuthorizationRefused, "reason" | "wayBack">
    ) => HttpResponse
    /** Tells a person to wait. */
    readonly limited: (http: HttpRequest, realm: Realm, retryAfterSeconds: number) => HttpResponse
    /** Takes an authorization response to the client: by a redirect, or by a form that the browser posts. */
    readonly respond: (http: HttpRequest, realm: Realm, response: AuthorizationResponse) => HttpResponse
  }
>()("sallyport/oauth/ErrorPage") {}
