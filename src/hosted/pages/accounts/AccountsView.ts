import { type Html, html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { address, type Carried, wayTo } from "../../markup/Fields.ts"
import type { AppVisit } from "../../PageContext.ts"

/** The orgs that somebody can work in. */
export interface AccountChoice {
  readonly carried: Carried
  readonly accounts: ReadonlyArray<{ readonly orgId: string; readonly name: string }>
  readonly invites: boolean
}

const chooser = ({ accounts, carried }: AccountChoice): Html => {
  const hidden = (orgId: string) => Object.entries({ ...carried, way: "choose", org_id: orgId })
  return html`<ul class="choices">${accounts.map(
    ({ orgId, name }) =>
      html`<li><form method="post" action="accounts">${hidden(orgId).map(
        ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`
      )}<button type="submit" class="choice"><bdi>${name}</bdi></button></form></li>`
  )}</ul>`
}

/** Lets somebody choose the org to work in. */
export const accountsPage = ({ texts }: AppVisit, choice: AccountChoice): Page => {
  const { accounts: said, profile } = texts
  const { accounts, carried } = choice
  const empty = accounts.length === 0
  return {
    status: 200,
    title: said.title,
    content: html`${empty ? html`<p>${said.none}</p><p>${said.noneTodo}</p>` : html`${accounts.length > 1 && html`<p>${said.lead}</p>`}${chooser(choice)}`}
<div class="part">
${wayTo(address("profile", carried), said.profile)}
${choice.invites && wayTo(address("invitation", carried), profile.invite)}
${wayTo(address("logout", carried), profile.logout)}
</div>`
  }
}
