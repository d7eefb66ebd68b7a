import { type Html, html } from "#platform/Html"
import { codeField, currentPasswordField } from "../../markup/CommonFields.ts"
import { collapsible, type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The authenticator apps of a user, and the values of a rejected form. */
export interface DeviceList {
  readonly devices: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** The ID of the device whose removal was rejected. */
  readonly removing?: string
  /** The name typed for a new device. */
  readonly deviceName?: string | undefined
  /** Whether adding a device requires the password. */
  readonly asksPassword: boolean
  /** The username for password managers. */
  readonly username: string
}

type Device = DeviceList["devices"][number]

const deviceItem = (
  { texts, flow }: AppPageContext,
  device: Device,
  index: number,
  errors: FieldErrors | undefined
): Html => {
  const { security: copy } = texts
  const label = device.name === "" ? copy.unnamed : device.name
  const form = {
    page: "security",
    hidden: { ...flow, way: "remove", device: device.id },
    fields: [{ ...codeField(texts, copy.removeHint, `code-${index}`), numeric: false }],
    button: copy.removeButton(label),
    id: `device-${index}-`,
    quiet: true
  }
  return html`<li><details${errors !== undefined && html` open`}>
<summary><bdi class="name">${label}</bdi> <span class="act">${copy.remove}</span></summary>
${formMarkup(texts, form, errors ?? [])}
</details></li>`
}

/** The section about two-step verification. */
export const devicesSection = (context: AppPageContext, list: DeviceList, errors: FieldErrors): Html => {
  const { texts, flow } = context
  const { security: copy } = texts
  const { devices, removing } = list
  const isRemoving = devices.some(({ id }) => id === removing)
  const fields: ReadonlyArray<Field> = [
    {
      name: "device_name",
      label: copy.deviceName,
      type: "text",
      autocomplete: "off",
      hint: copy.deviceHint,
      value: list.deviceName ?? ""
    },
    ...(list.asksPassword ? [currentPasswordField(texts, "device-password")] : [])
  ]
  const hidden = { ...flow, way: "add" }
  const owner = list.asksPassword ? { username: list.username } : {}
  const form = { page: "security", hidden, fields, button: copy.addButton, id: "device-", quiet: true, ...owner }
  const own = isRemoving ? [] : errors
  const item = (device: Device, index: number) =>
    deviceItem(context, device, index, device.id === removing ? errors : undefined)
  return html`<section class="part" aria-labelledby="second">
<h2 id="second">${copy.secondStep}</h2>
<p>${copy.secondStepLead}</p>
${devices.length > 0 && html`<h3>${copy.devices}</h3><ul class="devices">${devices.map(item)}</ul>`}
${collapsible(devices.length > 0 ? copy.addAnother : copy.add, formMarkup(texts, form, own), own.length > 0)}
</section>`
}
