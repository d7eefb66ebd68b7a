import { resolveAppUrl } from "#domain/ReturnUrl"
import { html } from "#platform/Html"
import { pageUrl, returnTargetOf, withoutReturn } from "../../FlowParams.ts"
import { backToApp } from "../../markup/AppLinks.ts"
import { icons, type View } from "../../markup/Document.ts"
import { formMarkup } from "../../markup/Fields.ts"
import { linkLine, primaryLink } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The way back to the app. The address to return to is that of the logout here, which it may say goodbye at. */
const wayBack = (context: AppPageContext) => backToApp({ ...context, flow: withoutReturn(context.flow) })

/** Where users go who stay: to the app if it has led here, else to their profile. */
const stayUrl = ({ app, flow = {} }: AppPageContext): string =>
  (returnTargetOf(flow).returnTo === null ? null : resolveAppUrl(app, null)) ?? pageUrl("profile", withoutReturn(flow))

/** Asks whether to log out, so that no link of another site logs a user out. */
export const logoutView = (context: AppPageContext, { name }: { readonly name: string }): View => {
  const { texts, flow } = context
  const { title, lead, button, stay } = texts.logout
  return {
    status: 200,
    title,
    content: html`<p>${lead(userText(name))}</p>
${formMarkup(texts, { page: "logout", hidden: { ...flow, way: "logout" }, fields: [], button }, [])}
${linkLine(stayUrl(context), stay)}
${wayBack(context)}`
  }
}

/** Tells that nobody is logged in any more. */
export const loggedOutView = (context: AppPageContext): View => {
  const { texts, flow } = context
  return {
    status: 200,
    title: texts.logout.done,
    icon: icons.success,
    content: html`<p>${texts.logout.doneLead}</p>
${primaryLink(pageUrl("login", flow), texts.logout.login)}
${wayBack(context)}`
  }
}
