import { hasTeams } from "#domain/Team"
import { type Html, html } from "#platform/Html"
import { pageUrl, withoutTeam } from "../../FlowParams.ts"
import { backToApp, logoutLink } from "../../markup/Links.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { AccountPageName } from "./AccountPage.ts"

/** The tabs of the account pages. */
export const accountTabs = ({ texts, realm, flow }: AppPageContext, current: AccountPageName): Html => {
  const { account: copy } = texts
  const pages: ReadonlyArray<AccountPageName> = ["profile", "security", ...(hasTeams(realm) ? (["team"] as const) : [])]
  const tab = (page: AccountPageName) =>
    html`<li><a href="${pageUrl(page, withoutTeam(flow))}"${page === current && html` class="here" aria-current="page"`}>${copy.tabs[page]}</a></li>`
  return html`<nav class="tabs" aria-label="${copy.title}"><ul>${pages.map(tab)}</ul></nav>`
}

/** The notice about a saved change. `saved` contains the notices by change, and `change` is the change named in the URL. */
export const savedNote = (saved: Readonly<Record<string, string>>, change: string | undefined): Html | undefined => {
  const text = new Map(Object.entries(saved)).get(change ?? "")
  return text === undefined ? undefined : html`<p class="saved" role="status">${text}</p>`
}

/**
 * The links at the end of an account page. `links` are the page's own links, shown before the links to the app and the logout.
 */
export const accountFooter = (context: AppPageContext, links?: Html): Html =>
  html`<nav class="part" aria-label="${context.texts.account.more}">
${links}
${backToApp(context)}
${logoutLink(context, context.flow)}
</nav>`
