import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AuthorizationRefused } from "#domain/oauth/AuthorizationRequest"
import type { AuthorizationResponse } from "#domain/oauth/AuthorizationResponse"
import type { Realm } from "#domain/Realm"
import { type PageResult, showView } from "./HostedPage.ts"
import { authorizationProblemView } from "./markup/AuthorizationProblem.ts"
import { formPostView } from "./markup/FormPost.ts"
import { rateLimitedView } from "./markup/Notices.ts"
import { type PageContext, pageContext, type RealmPageContext } from "./PageContext.ts"
import { resultResponse } from "./PageResponse.ts"

/** Sends an authorization response to the client, by a redirect or a form post. */
export const responseResult = (context: PageContext, response: AuthorizationResponse): PageResult =>
  response._tag === "Redirect"
    ? { redirect: response.url }
    : showView(formPostView(context, response.action, response.fields))

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

const responder =
  <A extends ReadonlyArray<unknown>>(result: (context: RealmPageContext, ...rest: A) => PageResult) =>
  (http: HttpRequest, realm: Realm, ...rest: A): HttpResponse => {
    const context = pageContext(http.headers["accept-language"], realm)
    return resultResponse(context, result(context, ...rest))
  }

/** The pages of the OAuth endpoints. They are not on the host of an app. */
export const oauthPages = {
  refused: responder(({ texts }, refusal: Pick<AuthorizationRefused, "reason" | "wayBack">) =>
    showView(authorizationProblemView(texts, refusal))
  ),
  limited: responder(({ texts }, seconds: number) => showView(rateLimitedView(texts, seconds))),
  respond: responder((context, response: AuthorizationResponse) => responseResult(context, response))
}
