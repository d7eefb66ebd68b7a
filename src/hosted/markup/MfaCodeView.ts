import { html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"
import type { Page } from "./Document.ts"
import { address, type Carried, codeField, type FieldError, form, wayTo } from "./Fields.ts"

/** The second step of a login. `page`: where its form goes; `login`: the token of what waits for the code. */
export interface CodeStep {
  readonly page: string
  readonly carried: Carried
  readonly login: string
  /** Where the login can be begun once more, unless nowhere. */
  readonly again?: string
}

/** Asks for the code that a login waits for. */
export const codePage = (
  { texts }: { readonly texts: Texts },
  { page, carried, login, again }: CodeStep,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { code: title, codeLead, codeHint } = texts.invitation
  const hidden = { ...carried, way: "code", login }
  const asked = { page, hidden, fields: [codeField(texts, codeHint)], button: texts.login.codeButton }
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${codeLead}</p>
${form(texts, asked, errors)}
${again !== undefined && wayTo(address(again, carried, { way: "login" }), texts.login.startAgain)}`
  }
}
