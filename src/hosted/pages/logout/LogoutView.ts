import { resolveAppUrl } from "#domain/ReturnUrl"
import { html } from "#platform/Html"
import { pageUrl, returnTargetOf, withoutReturn } from "../../FlowParams.ts"
import { icons, type View } from "../../markup/Document.ts"
import { formMarkup } from "../../markup/Fields.ts"
import { backToApp, linkLine, primaryLink } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The way back to the app. The address to return to is that of the logout here, which it may say goodbye at. */
const wayBack = (context: AppPageContext) => backToApp({ ...context, flow: withoutReturn(context.flow) })

/** Where users go who stay: to the app if it has led here, else to their profile. */
const stayUrl = ({ app, flow = {} }: AppPageContext): string =>
  (returnTargetOf(flow).returnTo === null ? null : resolveAppUrl(app, null)) ?? pageUrl("profile", withoutReturn(flow))

/** Who is to log out, and at whose request. */
interface LogoutState {
  readonly name: string
  /** The name of the OAuth client that asks. Null: the user does. */
  readonly client: string | null
  /** The secret of its request. */
  readonly secret: string | undefined
}

/** Asks whether to log out, so that no link of another site logs a user out. */
export const logoutView = (context: AppPageContext, { name, client, secret }: LogoutState): View => {
  const { texts, flow } = context
  const { title, lead, askedBy, everywhere, button, stay } = texts.logout
  const hidden = { ...flow, way: "logout", ...(secret === undefined ? {} : { logout: secret }) }
  return {
    status: 200,
    title,
    content: html`<p>${client !== null && html`${askedBy(userText(client))} `}${lead(userText(name))}</p>
${secret !== undefined && html`<p>${everywhere}</p>`}
${formMarkup(texts, { page: "logout", hidden, fields: [], button }, [])}
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
