import type { AuthorizationResponse } from "#domain/oauth/AuthorizationResponse"
import { type PageResult, showView } from "../../HostedPage.ts"
import { formPostView } from "../../markup/FormPost.ts"
import type { PageContext } from "../../PageContext.ts"

/** Takes an authorization response to its client. */
export const responseResult = (context: PageContext, response: AuthorizationResponse): PageResult =>
  response._tag === "Redirect"
    ? { redirect: response.url }
    : showView(formPostView(context, response.action, response.fields))
