import type { AppWithAccess } from "#domain/oauth/AppWithAccess"
import type { Page } from "#domain/Page"
import { type Html, html } from "#platform/Html"
import { formMarkup } from "../../markup/Fields.ts"
import { requestedAccess } from "../../markup/RequestedAccess.ts"
import { timeText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

const appItem = ({ texts, flow }: AppPageContext, app: AppWithAccess): Html => {
  const { language, security: copy } = texts
  const { name, since, lastUsedAt } = app
  const form = {
    page: "security",
    hidden: { ...flow, way: "remove_access", app: app.id },
    fields: [],
    button: copy.removeAccess,
    label: copy.removeAccessOf(name),
    quiet: true
  }
  return html`<li class="row tall"><div><p class="name">${userText(name)}</p>
${app.scopes.length > 0 && requestedAccess(texts, { scopes: app.scopes, resources: [] })}
<p class="soft">${copy.accessSince} ${timeText(language, since)}${
    lastUsedAt !== null && html`<br>${copy.accessUsed} ${timeText(language, lastUsedAt)}`
  }</p></div>
${formMarkup(texts, form, [])}</li>`
}

/** The section that lists the apps with access to the account. */
export const appsSection = (context: AppPageContext, { items, more }: Page<AppWithAccess>): Html => {
  const { security: copy } = context.texts
  return html`<section class="part" aria-labelledby="apps">
<h2 id="apps">${copy.apps}</h2>
<p>${copy.appsLead}</p>
<ul class="list">${items.map((app) => appItem(context, app))}</ul>
${more && html`<p class="soft">${copy.moreApps}</p>`}
</section>`
}
