import { type Html, html } from "#platform/Html"
import type { FlowParams } from "../FlowParams.ts"
import type { FormValues } from "../Form.ts"
import type { Texts } from "../texts/en.ts"
import { errorSummary, type FieldErrors } from "./Fields.ts"

const key = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" aria-hidden="true"><circle cx="9" cy="7.5" r="4"/><path d="M2.5 20c0-3.6 2.9-6 6.5-6 1.5 0 2.9.4 4 1.1"/><circle cx="18" cy="12.5" r="2.75"/><path d="M18 15.25V21l2-1.75"/></svg>`

/** A form that uses or creates a passkey. */
export interface PasskeyForm {
  readonly page: string
  /** The hidden fields. */
  readonly hidden: Readonly<Record<string, string>>
  /** Whether the form uses a passkey (`get`) or creates one (`create`). */
  readonly method: "get" | "create"
  readonly button: string
  /** The token and the options of the WebAuthn call, or the path of a POST request that returns them. */
  readonly options: object | string
  /** Fields above the button. */
  readonly fields?: Html | undefined
  /** Whether the browser also suggests passkeys in the username field. */
  readonly autofill?: boolean
  /** Whether the browser may create the passkey without asking, if it has just filled in the user's password. */
  readonly upgrade?: boolean
  /** Whether the form is the main form of the page. */
  readonly primary?: boolean
}

/** Renders a passkey form. The form stays hidden if the browser doesn't support passkeys or doesn't run scripts. */
export const passkeyForm = ({ passkeys }: Texts, form: PasskeyForm): Html => {
  const { method, options, primary = false, autofill = false, upgrade = false } = form
  const sentences = method === "get" ? passkeys.useErrors : passkeys.createErrors
  const hidden = Object.entries({ ...form.hidden, ...(upgrade ? { conditional: "" } : {}), token: "", response: "" })
  const source =
    typeof options === "string" ? html`data-from="${options}"` : html`data-options="${JSON.stringify(options)}"`
  return html`<form class="passkey" method="post" action="${form.page}" novalidate hidden data-passkey="${method}" ${source} data-errors="${JSON.stringify(sentences)}"${autofill && html` data-autofill="on"`}${upgrade && html` data-upgrade="on"`}>
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="error" role="alert" hidden></p>
${form.fields}
<button type="button" class="${primary ? "choice go" : "choice"}">${key}${form.button}</button>
</form>`
}

/** The errors of a passkey form, shown above it. */
export const passkeyErrors = (texts: Texts, errors: FieldErrors): Html => errorSummary(texts, [], errors)

/** The field that a script sets if the device can create a passkey. */
export const PASSKEY_SUPPORT = "passkeys"

/** Passes the value of that field on to the next form of the login. */
export const passkeySupportIn = (form: FormValues): FlowParams =>
  form(PASSKEY_SUPPORT) === "1" ? { [PASSKEY_SUPPORT]: "1" } : {}

/** The hidden field for that value. */
export const passkeySupportField = html`<input type="hidden" name="${PASSKEY_SUPPORT}" value="" data-platform>`
