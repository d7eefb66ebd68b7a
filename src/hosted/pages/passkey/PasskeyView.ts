import { allowsConditionalCreation } from "#domain/Passkey"
import type { CreationOptions, PasskeyOptions } from "#domain/PasskeyOptions"
import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { errorSummary, type Field, type FieldErrors, fieldLines, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { passkeyForm } from "../../markup/PasskeyForm.ts"
import type { AppPageContext } from "../../PageContext.ts"

const rulesOf = ({ authenticatorSelection: { userVerification }, attestation }: CreationOptions) => ({
  userVerification,
  attestation
})

/** The state of the page that creates a passkey. */
export interface NewPasskeyState {
  readonly flow: FlowParams
  /** Whether the passkey is offered after a login and can be declined. If false, the user requested it. */
  readonly isOffer: boolean
  /** The options for creating a passkey, or undefined if the errors prevent it. */
  readonly options: PasskeyOptions<CreationOptions> | undefined
  /** The name as typed. */
  readonly name: string
}

/** Lets a user create a passkey, or decline the offer. */
export const passkeyView = (
  { texts }: AppPageContext,
  { flow, isOffer, options, name }: NewPasskeyState,
  errors: FieldErrors = []
): View => {
  const { passkeys: copy } = texts
  const way = isOffer ? { offer: "1" } : {}
  const field: Field = {
    name: "passkey_name",
    label: copy.name,
    type: "text",
    autocomplete: "off",
    hint: copy.nameHint,
    value: name,
    optional: true
  }
  const form =
    options !== undefined &&
    passkeyForm(texts, {
      page: "passkey",
      hidden: { ...flow, ...way, way: "create" },
      method: "create",
      button: copy.create,
      options,
      fields: isOffer ? undefined : html`${fieldLines(texts, [field], errors)}`,
      upgrade: isOffer && allowsConditionalCreation(rulesOf(options.options)),
      primary: true
    })
  const skip = { page: "passkey", hidden: { ...flow, ...way, way: "skip" }, fields: [], button: copy.skip, quiet: true }
  return {
    status: 200,
    title: isOffer ? copy.offer : copy.add,
    hasErrors: errors.length > 0,
    passkeys: {},
    content: html`${errorSummary(texts, isOffer ? [] : [field], errors)}<p>${copy.lead}</p>
${options !== undefined && html`<p class="note" data-passkeys="without">${copy.unavailable}</p>`}
${form}
${isOffer ? formMarkup(texts, skip, []) : linkLine(pageUrl("security", flow), copy.cancel)}`
  }
}
