import { html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { codeField } from "../../markup/CommonFields.ts"
import type { View } from "../../markup/Document.ts"
import { appSetup } from "../../markup/EnrolmentView.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** An authenticator app that becomes active when the user enters its first code. */
export interface NewDevice {
  readonly id: string
  readonly name: string
  /** The QR code, as trusted markup. */
  readonly svg: string
  readonly secret: string
}

/** Shows how to set up an authenticator app, and asks for its first code. */
export const deviceSetupView = ({ texts, flow }: AppPageContext, device: NewDevice, errors: FieldErrors = []): View => {
  const { enrol: copy } = texts
  const hidden = { ...flow, way: "activate", device: device.id }
  const field = { ...codeField(texts, texts.secondStep.totp.hint), label: copy.code }
  const form = formMarkup(texts, { page: "security", hidden, fields: [field], button: copy.button }, errors)
  const hasErrors = errors.length > 0
  return {
    status: 200,
    title: copy.title,
    hasErrors,
    // After a wrong code, the user has already scanned the QR code, so the form comes first.
    content: html`${hasErrors && html`${form}<div class="part"></div>`}<p>${copy.scan(userText(device.name))}</p>
${appSetup(texts, device)}
${!hasErrors && form}
${linkLine(pageUrl("security", flow), copy.cancel)}`
  }
}
