import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { loginNameField } from "../login/LoginView.ts"

/** Asks for the account whose password to reset. */
export const forgotView = (
  context: AppPageContext,
  { flow, name }: { readonly flow: FlowParams; readonly name: string },
  errors: FieldErrors = []
): View => {
  const { texts } = context
  const { title, lead, button } = texts.forgot
  const hidden = { ...flow, way: "forgot" }
  const form = { page: "forgot", hidden, fields: [loginNameField(context, name)], button, focus: true }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`<p>${lead}</p>
${formMarkup(texts, form, errors)}
${linkLine(pageUrl("login", flow), texts.login.back)}`
  }
}
