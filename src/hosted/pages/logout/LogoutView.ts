import { resolveAppUrl } from "#domain/ReturnUrl"
import { html } from "#platform/Html"
import { pageUrl, returnTargetOf, withoutReturn } from "../../FlowParams.ts"
import { icons, type View } from "../../markup/Document.ts"
import { formMarkup } from "../../markup/Fields.ts"
import { backToApp, linkLine, primaryLink } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The link back to the app. Ignores `redirect_uri`, which is the page to show after the logout. */
const wayBack = (context: AppPageContext) => backToApp({ ...context, flow: withoutReturn(context.flow) })

/** The URL for users who decide to stay logged in: the app if the user came from there, otherwise the profile. */
const stayUrl = ({ app, flow = {} }: AppPageContext): string =>
  (returnTargetOf(flow).returnTo === null ? null : resolveAppUrl(app, null)) ?? pageUrl("profile", withoutReturn(flow))

/** The user to log out, and who requested it. */
interface LogoutState {
  readonly name: string
  /** The name of the OAuth client that requested the logout, or null if no client did. */
  readonly client: string | null
  /** The secret of the client's request. */
  readonly secret: string | undefined
}

/** Asks the user to confirm, so that a link on another site can't log out users. */
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

/** Confirms the logout. */
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
