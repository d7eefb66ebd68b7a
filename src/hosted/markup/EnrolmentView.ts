import type { Enrolment } from "#domain/Login"
import type { CreationOptions, PasskeyOptions } from "#domain/PasskeyOptions"
import { Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { Texts } from "../texts/en.ts"
import type { View } from "./Document.ts"
import { codeField, type FieldErrors, formMarkup } from "./Fields.ts"
import { linkLine } from "./Links.ts"
import { passkeyForm } from "./PasskeyForm.ts"

/** In groups of four characters, which are easier to type. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? ""

/** The QR code of an authenticator app that is being set up, as markup of our own making, and the key to type in its place. */
export const appSetup = ({ enrol: copy }: Texts, app: { readonly svg: string; readonly secret: string }): Html =>
  html`<div class="qr" role="img" aria-label="${copy.qr}">${Html.of(app.svg)}</div>
<p>${copy.type}</p>
<p><code class="key">${grouped(app.secret)}</code></p>`

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

/** What a login sets up: an authenticator app, or a passkey if one can be created on the page. */
export interface OfferedEnrolment {
  readonly app: Enrolment
  readonly passkey: PasskeyOptions<CreationOptions> | undefined
}

/** What a form says that the second factor is a passkey that it creates. */
export const NEW_PASSKEY = "new_passkey"

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

/** A passkey in place of an authenticator app, in browsers that know passkeys. */
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

/** Has somebody set up an authenticator app or a passkey, without which the login goes no further (C147). */
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
    // Whoever has typed a code has scanned the QR code before: the form comes first then.
    content: html`${hasErrors && html`${form}<div class="part"></div>`}
${passkey === undefined ? html`<p>${copy.dueLead}</p>` : passkeyChoice(texts, step, passkey)}
<p>${copy.dueScan}</p>
${appSetup(texts, app)}
${!hasErrors && form}
${restart !== undefined && linkLine(pageUrl(restart, flow, { way: "login" }), texts.login.startAgain)}`
  }
}
