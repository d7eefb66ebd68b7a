import { html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { address, type Carried, type FieldError, form, wayTo } from "../../markup/Fields.ts"
import type { AppVisit } from "../../PageContext.ts"
import { loginName } from "../login/LoginView.ts"

/** Asks whose password is to be set anew. */
export const forgotPage = (
  visit: AppVisit,
  { carried, name }: { readonly carried: Carried; readonly name: string },
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { texts } = visit
  const { title, lead, button } = texts.forgot
  const hidden = { ...carried, way: "forgot" }
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${lead}</p>
${form(texts, { page: "forgot", hidden, fields: [loginName(visit, name)], button }, errors)}
${wayTo(address("login", carried), texts.login.back)}`
  }
}
