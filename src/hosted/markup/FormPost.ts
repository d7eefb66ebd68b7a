import { html } from "#platform/Html"
import type { PageContext } from "../PageContext.ts"
import type { View } from "./Document.ts"

/** A form that the browser posts to the client (OAuth 2.0 Form Post Response Mode). */
export const formPostView = (
  { texts }: PageContext,
  action: string,
  fields: Readonly<Record<string, string>>
): View => ({
  status: 200,
  title: texts.authorize.sendTitle,
  forms: "app",
  content: html`<p>${texts.authorize.sendLead}</p>
<form method="post" action="${action}" data-form-post="">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${texts.authorize.sendButton}</button>
</form>`
})
