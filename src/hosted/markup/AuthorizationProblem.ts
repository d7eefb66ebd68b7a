import type { AuthorizationRefused, WayBack } from "#domain/oauth/AuthorizationRequest"
import { type OAuthReason, oauthErrorOf, oauthRefused } from "#domain/oauth/OAuthProblem"
import { html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"
import type { View } from "./Document.ts"
import { linkLine } from "./Links.ts"
import { type ProblemName, problemView } from "./Notices.ts"
import { clientName } from "./UserText.ts"

/** The text and the status for each reason. All other reasons are mistakes of the client. */
const problems: { readonly [Reason in OAuthReason]?: { readonly name: ProblemName; readonly status: number } } = {
  client_missing: { name: "client_unknown", status: 400 },
  client_not_found: { name: "client_unknown", status: 400 },
  redirect_uri_missing: { name: "redirect_refused", status: 400 },
  redirect_uri_unregistered: { name: "redirect_refused", status: 400 },
  request_expired: { name: "request_expired", status: 400 },
  request_uri_unknown: { name: "request_expired", status: 400 },
  no_login_app: { name: "no_login", status: 404 }
}

/** Returns the link back to the client, or undefined if the client has no known URL. */
const linkBack = (texts: Texts, { client, url }: WayBack) =>
  url === null ? undefined : linkLine(url, texts.backToApp(clientName(client)))

/**
 * Shows users why an authorization request can't continue and how to return to the client. Shows developers the error in the
 * request.
 */
export const authorizationProblemView = (
  texts: Texts,
  { reason, wayBack }: Pick<AuthorizationRefused, "reason" | "wayBack">
): View => {
  const { name, status } = problems[reason] ?? { name: "request_refused", status: 400 }
  const { error, description } = oauthErrorOf(oauthRefused(reason))
  const view = problemView(texts, name, status)
  return {
    ...view,
    content: html`${view.content}
${wayBack !== undefined && linkBack(texts, wayBack)}
<p class="soft" lang="en">${error}: ${description}</p>`
  }
}
