import { Html, html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { address, codeField, type FieldError, form, wayTo } from "../../markup/Fields.ts"
import { name } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"

/** A device that waits for its first code. `svg`: what to scan, of our own making. */
export interface EnrolledDevice {
  readonly id: string
  readonly name: string
  readonly svg: string
  readonly secret: string
}

/** Four by four, for who types it. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? ""

/** Sets up an authenticator app. */
export const enrolPage = (
  { texts, carried }: AppVisit,
  device: EnrolledDevice,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { enrol: said } = texts
  const hidden = { ...carried, way: "activate", device: device.id }
  const field = { ...codeField(texts, texts.invitation.codeHint), label: said.code }
  return {
    status: 200,
    title: said.title,
    refused: errors.length > 0,
    content: html`<p>${said.scan(name(device.name))}</p>
<div class="qr" role="img" aria-label="${said.qr}">${Html.of(device.svg)}</div>
<p>${said.type}</p>
<p><code class="key">${grouped(device.secret)}</code></p>
${form(texts, { page: "profile", hidden, fields: [field], button: said.button }, errors)}
${wayTo(address("profile", carried), said.cancel)}`
  }
}
