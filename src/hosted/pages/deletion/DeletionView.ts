import type { DateTime } from "effect"
import { html } from "#platform/Html"
import type { FlowParams } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { formMarkup } from "../../markup/Fields.ts"
import { successView } from "../../markup/Notices.ts"
import { dateText } from "../../markup/TimeText.ts"
import type { AppPageContext, PageContext } from "../../PageContext.ts"

/** Lets a user keep the account, with a link in an email. */
export const keepLinkView = ({ texts, flow }: PageContext, token: string, at: DateTime.Utc): View => {
  const { deletion: copy } = texts
  const form = { page: "deletion", hidden: { ...flow, token }, fields: [], button: copy.keep }
  return {
    status: 200,
    title: copy.title,
    content: html`<p>${copy.scheduled(dateText(texts.language, at))}</p>
${formMarkup(texts, form, [])}
<p class="part soft">${copy.unexpected}</p>`
  }
}

/** Confirms that the account will not be deleted. */
export const keptView = (context: PageContext): View =>
  successView(context, context.texts.deletion.kept, [html`${context.texts.deletion.keptLead}`])

/** Tells users who have just logged in that their account will be deleted. */
export const scheduledNoticeView = ({ texts }: AppPageContext, flow: FlowParams, at: DateTime.Utc): View => {
  const { deletion: copy } = texts
  const form = (way: string, button: string, quiet: boolean) =>
    formMarkup(texts, { page: "deletion", hidden: { ...flow, way }, fields: [], button, quiet }, [])
  return {
    status: 200,
    title: copy.title,
    content: html`<p>${copy.scheduled(dateText(texts.language, at))}</p>
<div class="stack">${form("keep", copy.keep, false)}${form("continue", copy.proceed, true)}</div>`
  }
}
