import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { Texts } from "../texts/en.ts"
import type { View } from "./Document.ts"
import { codeField, type FieldErrors, formMarkup } from "./Fields.ts"
import { linkLine } from "./Links.ts"

/** The second step of a login. */
export interface MfaStep {
  /** The page that its form posts to. */
  readonly page: string
  readonly flow: FlowParams
  /** The token of the login that waits for the code. */
  readonly login: string
  /** The page where the login can be started again, if there is one. */
  readonly restart?: string
}

/** Asks for the code of the second factor. */
export const mfaCodeView = (
  { texts }: { readonly texts: Texts },
  { page, flow, login, restart }: MfaStep,
  errors: FieldErrors = []
): View => {
  const { code: title, codeLead, codeHint } = texts.invitation
  const hidden = { ...flow, way: "code", login }
  const form = {
    page,
    hidden,
    fields: [{ ...codeField(texts, codeHint), autofocus: errors.length === 0 }],
    button: texts.login.codeButton
  }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`<p>${codeLead}</p>
${formMarkup(texts, form, errors)}
${restart !== undefined && linkLine(pageUrl(restart, flow, { way: "login" }), texts.login.startAgain)}`
  }
}
