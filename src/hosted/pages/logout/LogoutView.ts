import { html } from "#platform/Html"
import { type Page, signs } from "../../markup/Document.ts"
import { address, form, goTo, wayTo } from "../../markup/Fields.ts"
import { name as shown } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"

/** Asks: a link from elsewhere logs nobody out. */
export const logoutPage = ({ texts, carried }: AppVisit, { name }: { readonly name: string }): Page => ({
  status: 200,
  title: texts.logout.title,
  content: html`<p>${texts.logout.lead(shown(name))}</p>
${form(texts, { page: "logout", hidden: { ...carried, way: "logout" }, fields: [], button: texts.logout.button }, [])}
${wayTo(address("profile", carried), texts.logout.stay)}`
})

/** Tells that it is done. */
export const loggedOutPage = ({ texts, carried }: AppVisit): Page => ({
  status: 200,
  title: texts.logout.done,
  sign: signs.good,
  content: html`<p>${texts.logout.doneLead}</p>
${goTo(address("login", carried), texts.logout.login)}`
})
