import type { TrustedDevice } from "#domain/TrustedDevice"
import { type Html, html } from "#platform/Html"
import { formMarkup } from "../../markup/Fields.ts"
import { dateText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { clientName } from "./ClientName.ts"

const deviceItem = ({ texts, flow }: AppPageContext, device: TrustedDevice): Html => {
  const { language, security: copy } = texts
  const { id, requestIp, createdAt, expiresAt } = device
  const name = clientName(texts, device.requestClient)
  const form = {
    page: "security",
    hidden: { ...flow, way: "untrust", device: id },
    fields: [],
    button: copy.untrust,
    label: copy.untrustOf(name),
    quiet: true
  }
  return html`<li class="row"><div><p>${userText(name)}</p>
<p class="soft">${requestIp !== null && html`${requestIp}<br>`}${copy.trustedSince} ${dateText(language, createdAt)}<br>${copy.trustedUntil} ${dateText(language, expiresAt)}</p></div>
${formMarkup(texts, form, [])}</li>`
}

/** The section with the devices in which a user's logins skip the second factor. */
export const trustedDevicesSection = (context: AppPageContext, devices: ReadonlyArray<TrustedDevice>): Html => {
  const { security: copy } = context.texts
  return html`<section class="part" aria-labelledby="trusted">
<h2 id="trusted">${copy.trusted}</h2>
<p>${copy.trustedLead}</p>
<ul class="list">${devices.map((device) => deviceItem(context, device))}</ul>
</section>`
}
