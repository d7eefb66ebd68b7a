import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { backToApp, linkLine, logoutLink } from "../../markup/Links.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** The orgs that a user can choose from. */
export interface AccountChoice {
  readonly flow: FlowParams
  readonly accounts: ReadonlyArray<{ readonly orgId: string; readonly name: string; readonly isCurrent: boolean }>
}

const chooser = ({ accounts: copy }: Texts, { accounts, flow }: AccountChoice): Html => {
  const hidden = (orgId: string) => Object.entries({ ...flow, way: "choose", org_id: orgId })
  return html`<ul class="choices">${accounts.map(
    ({ orgId, name, isCurrent }) =>
      html`<li><form method="post" action="accounts">${hidden(orgId).map(
        ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`
      )}<button type="submit" class="choice"${isCurrent && html` aria-current="true"`}><bdi>${name}</bdi>${isCurrent && html` <span class="soft">${copy.current}</span>`}</button></form></li>`
  )}</ul>`
}

/** Asks which org to log in to. */
export const accountsView = (context: AppPageContext, choice: AccountChoice): View => {
  const { accounts: copy } = context.texts
  const { accounts, flow } = choice
  const isEmpty = accounts.length === 0
  return {
    status: 200,
    title: isEmpty ? copy.noneTitle : copy.title,
    content: html`${isEmpty ? html`<p>${copy.none}</p><p>${copy.noneTodo}</p>` : html`${accounts.length > 1 && html`<p>${copy.lead}</p>`}${chooser(context.texts, choice)}`}
<div class="part">
${linkLine(pageUrl("profile", flow), copy.profile)}
${logoutLink(context, flow)}
${backToApp(context)}
</div>`
  }
}
