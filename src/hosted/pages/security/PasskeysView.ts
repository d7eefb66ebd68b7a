import type { OwnPasskey } from "#core/account/AccountPasskeys"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { dateText } from "../../markup/TimeText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The passkeys of a user, and the passkey with the rejected form, if any. */
export interface PasskeyList {
  readonly passkeys: ReadonlyArray<OwnPasskey>
  readonly refused?: { readonly id: string; readonly way: string; readonly name: string } | undefined
}

const passkeyItem = (
  { texts, flow }: AppPageContext,
  passkey: OwnPasskey,
  index: number,
  refused: PasskeyList["refused"],
  errors: FieldErrors
): Html => {
  const { passkeys: copy, language } = texts
  const label = passkey.name ?? copy.unnamed
  const used = passkey.lastUsedAt === null ? copy.unused : copy.used(dateText(language, passkey.lastUsedAt))
  const facts = [
    copy.added(dateText(language, passkey.createdAt)),
    used,
    ...(passkey.synced ? [copy.synced] : []),
    ...(passkey.restrictedToDomain === undefined ? [] : [copy.onlyOn(passkey.restrictedToDomain)])
  ]
  const form = (way: string) => ({ page: "security", hidden: { ...flow, way, passkey: passkey.id }, quiet: true })
  const errorsOf = (way: string) => (refused?.way === way ? errors : [])
  const name = {
    name: "passkey_name",
    id: `passkey-name-${index}`,
    label: copy.name,
    type: "text",
    autocomplete: "off",
    value: refused?.name ?? passkey.name ?? ""
  } as const
  const rename = { ...form("passkey_rename"), fields: [name], button: copy.renameButton, id: `rename-${index}-` }
  const remove = {
    ...form("passkey_remove"),
    fields: [],
    button: passkey.name === undefined ? copy.removeUnnamed : copy.removeButton(passkey.name),
    id: `remove-${index}-`
  }
  return html`<li><details${refused !== undefined && html` open`}>
<summary><span><bdi class="name">${label}</bdi><br><span class="soft">${facts.map((fact, at) => html`${at > 0 && " · "}${fact}`)}</span></span> <span class="act">${copy.change}</span></summary>
${formMarkup(texts, rename, errorsOf("passkey_rename"))}
${formMarkup(texts, remove, errorsOf("passkey_remove"))}
</details></li>`
}

/** The passkeys section. A new passkey is created on a separate page, which requires scripts. */
export const passkeysSection = (context: AppPageContext, list: PasskeyList, errors: FieldErrors): Html => {
  const { texts, flow } = context
  const { passkeys: copy } = texts
  const item = (passkey: OwnPasskey, index: number) => {
    const refused = list.refused?.id === passkey.id ? list.refused : undefined
    return passkeyItem(context, passkey, index, refused, refused === undefined ? [] : errors)
  }
  return html`<section class="part" aria-labelledby="passkeys">
<h2 id="passkeys">${copy.title}</h2>
<p>${copy.titleLead}</p>
${list.passkeys.length > 0 && html`<ul class="devices">${list.passkeys.map(item)}</ul>`}
<p class="scripted more-way"><a href="${pageUrl("passkey", flow)}">${copy.add}</a></p>
</section>`
}
