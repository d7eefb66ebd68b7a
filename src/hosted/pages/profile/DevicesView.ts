import { type Html, html } from "#platform/Html"
import { codeField, type Field, type FieldError, form, passwordNow } from "../../markup/Fields.ts"
import type { AppVisit } from "../../PageContext.ts"

/** Authenticator apps: those there are, and what comes back of changing them. */
export interface DeviceView {
  readonly devices: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** The device whose removal comes back. */
  readonly removing?: string
  readonly deviceName?: string
  readonly hasPassword: boolean
}

type Device = DeviceView["devices"][number]

const removal = (
  { texts, carried }: AppVisit,
  device: Device,
  place: number,
  errors: ReadonlyArray<FieldError> | undefined
): Html => {
  const { profile: said } = texts
  const shown = device.name === "" ? said.unnamed : device.name
  const asked = {
    page: "profile",
    hidden: { ...carried, way: "remove", device: device.id },
    fields: [codeField(texts, said.removeHint, `code-${place}`)],
    button: said.removeButton(shown),
    id: `device-${place}-`,
    quiet: true
  }
  return html`<li><details${errors !== undefined && html` open`}>
<summary><bdi class="name">${shown}</bdi> <span class="act">${said.remove}</span></summary>
${form(texts, asked, errors ?? [])}
</details></li>`
}

/** The second step of logging in. */
export const devicesSection = (visit: AppVisit, view: DeviceView, errors: ReadonlyArray<FieldError>): Html => {
  const { texts, carried } = visit
  const { profile: said } = texts
  const { devices, removing } = view
  const isRemoving = devices.some(({ id }) => id === removing)
  const fields: ReadonlyArray<Field> = [
    {
      name: "device_name",
      label: said.deviceName,
      type: "text",
      autocomplete: "off",
      hint: said.deviceHint,
      value: view.deviceName ?? ""
    },
    ...(view.hasPassword ? [passwordNow(texts, "device-password")] : [])
  ]
  const hidden = { ...carried, way: "add" }
  const adding = { page: "profile", hidden, fields, button: said.addButton, id: "device-", quiet: true }
  return html`<section class="part" aria-labelledby="second">
<h2 id="second">${said.secondStep}</h2>
<p>${said.secondStepLead}</p>
${devices.length > 0 && html`<h3>${said.devices}</h3><ul class="devices">${devices.map((device, place) => removal(visit, device, place, device.id === removing ? errors : undefined))}</ul>`}
<h3>${devices.length > 0 ? said.addAnother : said.add}</h3>
${form(texts, adding, isRemoving ? [] : errors)}
</section>`
}
