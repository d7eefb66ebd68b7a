import type { Enrolment } from "#domain/Login"
import type { CreationOptions, PasskeyOptions } from "#domain/PasskeyOptions"
import { Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { Texts } from "../texts/en.ts"
import { codeField } from "./CommonFields.ts"
import type { View } from "./Document.ts"
import { type FieldErrors, formMarkup } from "./Fields.ts"
import { linkLine } from "./Links.ts"
import { passkeyForm } from "./PasskeyForm.ts"

/** Splits the key into groups of four characters for easier typing. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? ""

/** The QR code of a new authenticator app, as trusted markup, and the key for manual entry. */
export const appSetup = ({ enrol: copy }: Texts, app: { readonly svg: string; readonly secret: string }): Html =>
  html`<div class="qr" role="img" aria-label="${copy.qr}">${Html.of(app.svg)}</div>
<p>${copy.type}</p>
<p><code class="key">${grouped(app.secret)}</code></p>`

/** A login that waits for a second factor. */
export interface PendingStep {
  /** The page to which the form is posted. */
  readonly page: string
  readonly flow: FlowParams
  /** The token of the pending login. */
  readonly login: string
  /** The page for starting the login again, if there is one. */
  readonly restart?: string
}

/** The second factors that a login can set up: an authenticator app and, if the page can create one, a passkey. */
export interface OfferedEnrolment {
  readonly app: Enrolment
  readonly passkey: PasskeyOptions<CreationOptions> | undefined
}

/** The value of `by` if the form creates a passkey as the second factor. */
export const NEW_PASSKEY = "new_passkey"

/** Tells a logged-in user that a second factor is required, with a button for setting it up. */
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

/** Offers a passkey instead of an authenticator app, in browsers that support passkeys. */
const passkeyChoice = (
  texts: Texts,
  { page, flow, login }: PendingStep,
  options: PasskeyOptions<CreationOptions>
): Html => {
  const { enrol: copy, passkeys } = texts
  const hidden = { ...flow, way: "code", by: NEW_PASSKEY, login }
  const form = { page, hidden, method: "create", button: passkeys.create, options, primary: true } as const
  return html`<p data-passkeys="without">${copy.dueLead}</p>
<div hidden data-passkeys="with"><p>${copy.dueChoice}</p>
<h2>${copy.passkey}</h2>
<p>${passkeys.lead}</p>
${passkeyForm(texts, form)}
<div class="part"></div>
<h2>${copy.app}</h2></div>`
}

/** Lets the user set up an authenticator app or a passkey, because the login requires one (C147). */
export const enrolmentView = (
  { texts }: { readonly texts: Texts },
  step: PendingStep,
  { app, passkey }: OfferedEnrolment,
  errors: FieldErrors = []
): View => {
  const { page, flow, login, restart } = step
  const { enrol: copy } = texts
  const hidden = { ...flow, way: "code", login }
  const field = { ...codeField(texts, texts.secondStep.totp.hint), label: copy.code }
  const form = formMarkup(texts, { page, hidden, fields: [field], button: copy.button }, errors)
  const hasErrors = errors.length > 0
  return {
    status: 200,
    title: copy.dueTitle,
    hasErrors,
    passkeys: passkey === undefined ? undefined : {},
    // After a wrong code, the user has already scanned the QR code, so the form comes first.
    content: html`${hasErrors && html`${form}<div class="part"></div>`}
${passkey === undefined ? html`<p>${copy.dueLead}</p>` : passkeyChoice(texts, step, passkey)}
<p>${copy.dueScan}</p>
${appSetup(texts, app)}
${!hasErrors && form}
${restart !== undefined && linkLine(pageUrl(restart, flow, { way: "login" }), texts.login.startAgain)}`
  }
}
