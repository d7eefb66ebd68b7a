import type { PasskeyOptions, RequestOptions } from "#domain/PasskeyOptions"
import type { SecondFactor } from "#domain/SecondFactor"
import type { User } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../FlowParams.ts"
import type { Texts } from "../texts/en.ts"
import { codeField } from "./CommonFields.ts"
import type { View } from "./Document.ts"
import { enrolmentView, type OfferedEnrolment, type PendingStep } from "./EnrolmentView.ts"
import { errorSummary, type Field, type FieldErrors, formMarkup } from "./Fields.ts"
import { linkLine } from "./Links.ts"
import { passkeyForm } from "./PasskeyForm.ts"
import { personMarkup } from "./Person.ts"
import { type TrustOffer, trustField } from "./TrustField.ts"

/** The second factor that a login asks for, and the alternatives. */
export interface SecondStep {
  readonly by: SecondFactor
  readonly offers: ReadonlyArray<SecondFactor>
  /** The authenticator app or passkey to set up if the user has no second factor. */
  readonly enrolment?: OfferedEnrolment | undefined
  /** The challenge for the user's passkeys, if the login asks for a passkey. */
  readonly passkey?: PasskeyOptions<RequestOptions> | undefined
}

/** The second step of a login. */
export interface MfaStep extends SecondStep, PendingStep {
  /** The user, if they are already logged in. */
  readonly person?: User | undefined
  /** Lets the user trust the browser, if they use an authenticator app or a passkey. */
  readonly trust?: TrustOffer | undefined
  /** The text of the button. Defaults to the text for a login. */
  readonly button?: string
}

const fieldOf = (texts: Texts, by: SecondFactor): Field => {
  const { hint, label } = texts.secondStep[by]
  const field = { ...codeField(texts, hint), label }
  return by === "recovery_codes" ? { ...field, autocomplete: "off", numeric: false, verbatim: true } : field
}

/** Buttons for switching to the user's other second factors. */
const switches = (texts: Texts, { page, flow, login, by, offers }: MfaStep): Html => {
  // An emailed code stays in the list, because it can be requested again.
  const others = offers.filter((factor) => factor !== by || factor === "email_code")
  const form = (factor: SecondFactor) => ({
    page,
    hidden: { ...flow, way: "factor", by: factor, login },
    fields: [],
    button: factor === by ? texts.emailCode.again : texts.secondStep[factor].use,
    quiet: true
  })
  return html`${others.length > 0 && html`<div class="part">${others.map((factor) => formMarkup(texts, form(factor), []))}</div>`}`
}

const trustChoice = (texts: Texts, { trust }: MfaStep): Html | undefined =>
  trust === undefined ? undefined : trustField(texts, trust)

const codeForm = (texts: Texts, step: MfaStep, errors: FieldErrors): Html => {
  const { page, flow, login, by, button = texts.login.codeButton } = step
  const hidden = { ...flow, way: "code", by, login }
  const choice = by === "totp" ? trustChoice(texts, step) : undefined
  return formMarkup(texts, { page, hidden, fields: [fieldOf(texts, by)], choice, button, focus: true }, errors)
}

const passkeyStep = (
  texts: Texts,
  step: MfaStep,
  options: PasskeyOptions<RequestOptions>,
  errors: FieldErrors
): Html => {
  const { page, flow, login, by } = step
  const hidden = { ...flow, way: "code", by, login }
  const button = texts.secondStep[by].use
  const form = {
    page,
    hidden,
    method: "get",
    button,
    options,
    primary: true,
    fields: trustChoice(texts, step)
  } as const
  return html`${errorSummary(texts, [], errors)}<p class="note" data-passkeys="without">${texts.passkeys.unusable}</p>
${passkeyForm(texts, form)}`
}

/** Asks for the second factor of a login. */
export const mfaCodeView = ({ texts }: { readonly texts: Texts }, step: MfaStep, errors: FieldErrors = []): View => {
  if (step.enrolment !== undefined) return enrolmentView({ texts }, step, step.enrolment, errors)
  const { flow, restart, by, passkey } = step
  const { title, lead } = texts.secondStep[by]
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    hasMail: by === "email_code",
    passkeys: passkey === undefined ? undefined : {},
    content: html`<p>${lead}</p>
${step.person !== undefined && personMarkup(step.person)}
${passkey === undefined ? codeForm(texts, step, errors) : passkeyStep(texts, step, passkey, errors)}
${switches(texts, step)}
${restart !== undefined && linkLine(pageUrl(restart, flow, { way: "login" }), texts.login.startAgain)}`
  }
}
