import { isLogoutUri, resolveAppUrl } from "#domain/ReturnUrl"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl, withoutReturn } from "../FlowParams.ts"
import type { AppPageContext, PageContext } from "../PageContext.ts"
import type { View } from "./Document.ts"
import { userText } from "./UserText.ts"

/** A link to another page, on a line of its own. */
export const linkLine = (href: string, label: string | Html, question?: string): Html =>
  html`<p class="way">${question !== undefined && html`${question} `}<a href="${href}">${label}</a></p>`

/** The link to the page that comes next, which looks like a button. */
export const primaryLink = (href: string, label: string): Html =>
  html`<p><a class="choice go" href="${href}">${label}</a></p>`

/** The way back to the app, without a token (C84). Undefined: the page has no app, or the app no address on the web. */
export const backToApp = ({ texts, app, flow = {} }: PageContext): Html | undefined => {
  const url = app === undefined ? null : resolveAppUrl(app, flow["redirect_uri"] ?? null)
  return app === undefined || url === null
    ? undefined
    : linkLine(url, texts.backToApp(userText(app.appearance.name ?? app.name)))
}

/** A view that ends a visit, with the way back to the app. */
export const withWayBack = (context: PageContext, view: View): View => ({
  ...view,
  content: html`${view.content}
${backToApp(context)}`
})

/** The link to the logout. It passes the address to return to on only if that is one of a logout (C84). */
export const logoutLink = ({ texts, app }: AppPageContext, flow: FlowParams = {}): Html => {
  const isOfLogout = isLogoutUri(app, flow["redirect_uri"] ?? "")
  return linkLine(pageUrl("logout", isOfLogout ? flow : withoutReturn(flow)), texts.profile.logout)
}
