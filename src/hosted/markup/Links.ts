import { CONSOLE_HOME } from "#domain/HostedPaths"
import { CONSOLE_APP } from "#domain/Ids"
import { isLogoutUri, resolveAppUrl } from "#domain/ReturnUrl"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl, withoutReturn } from "../FlowParams.ts"
import type { AppPageContext, PageContext } from "../PageContext.ts"
import type { View } from "./Document.ts"
import { userText } from "./UserText.ts"

/** A link to another page, on a separate line. */
export const linkLine = (href: string, label: string | Html, question?: string): Html =>
  html`<p class="way">${question !== undefined && html`${question} `}<a href="${href}">${label}</a></p>`

/** The link to the next page, styled as a button. */
export const primaryLink = (href: string, label: string): Html =>
  html`<p><a class="choice go" href="${href}">${label}</a></p>`

/** Returns the link back to the app, without a token (C84), or undefined if the page has no app or the app has no web URL. */
export const backToApp = ({ texts, app, flow = {} }: PageContext): Html | undefined => {
  if (app?.id === CONSOLE_APP) return linkLine(CONSOLE_HOME, texts.backToConsole)
  const url = app === undefined ? null : resolveAppUrl(app, flow["redirect_uri"] ?? null)
  return app === undefined || url === null
    ? undefined
    : linkLine(url, texts.backToApp(userText(app.appearance.name ?? app.name)))
}

/** A view at the end of a visit, with a link back to the app. */
export const withBackToApp = (context: PageContext, view: View): View => ({
  ...view,
  content: html`${view.content}
${backToApp(context)}`
})

/** The logout link. It passes on `redirect_uri` only if that is a registered logout URI (C84). */
export const logoutLink = ({ texts, app }: AppPageContext, flow: FlowParams = {}): Html => {
  const isOfLogout = isLogoutUri(app, flow["redirect_uri"] ?? "")
  return linkLine(pageUrl("logout", isOfLogout ? flow : withoutReturn(flow)), texts.profile.logout)
}
