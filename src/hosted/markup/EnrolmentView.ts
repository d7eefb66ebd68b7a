import type { Enrolment } from "#domain/Login"
import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { Texts } from "../texts/en.ts"
import { appSetup } from "./AppSetup.ts"
import type { View } from "./Document.ts"
import { codeField, type FieldErrors, formMarkup } from "./Fields.ts"
import { linkLine } from "./Links.ts"

/** A login that waits for a code. */
export interface PendingStep {
  /** The page that its form posts to. */
  readonly page: string
  readonly flow: FlowParams
  /** The token of the login. */
  readonly login: string
  /** The page where the login can be started again, if there is one. */
  readonly restart?: string
}

/** Tells somebody who is logged in that a second factor has to be set up. Its set-up begins with the button. */
export const enrolmentDueView = ({ texts }: { readonly texts: Texts }, { page, flow }: PendingStep): View => {
  const { dueTitle: title, dueLead, dueButton: button } = texts.enrol
  const form = { page, hidden: { ...flow, way: "factor", by: "totp", login: "" }, fields: [], button }
  return {
    status: 200,
    title,
    content: html`<p>${dueLead}</p>
${formMarkup(texts, form, [])}`
  }
}

/** Has somebody set up an authenticator app, without which the login goes no further (C147). */
export const enrolmentView = (
  { texts }: { readonly texts: Texts },
  { page, flow, login, restart }: PendingStep,
  enrolment: Enrolment,
  errors: FieldErrors = []
): View => {
  const { enrol: copy } = texts
  const hidden = { ...flow, way: "code", login }
  const field = { ...codeField(texts, texts.secondStep.totp.hint), label: copy.code }
  const form = formMarkup(texts, { page, hidden, fields: [field], button: copy.button }, errors)
  const hasErrors = errors.length > 0
  return {
    status: 200,
    title: copy.dueTitle,
    hasErrors,
    // Whoever has typed a code has scanned the QR code before: the form comes first then.
    content: html`${hasErrors && html`${form}<div class="part"></div>`}<p>${copy.dueLead}</p>
<p>${copy.dueScan}</p>
${appSetup(texts, enrolment)}
${!hasErrors && form}
${restart !== undefined && linkLine(pageUrl(restart, flow, { way: "login" }), texts.login.startAgain)}`
  }
}
