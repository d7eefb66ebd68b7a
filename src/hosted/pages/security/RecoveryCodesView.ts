import { brandNameOf } from "#domain/ConnectedApp"
import { FEW_CODES } from "#domain/RecoveryCode"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { collapsible, formMarkup } from "../../markup/Fields.ts"
import { primaryLink } from "../../markup/Links.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The recovery codes section. `left` is the number of unused codes, or undefined if the user has never created any. */
export const recoveryCodesSection = ({ texts, flow }: AppPageContext, left: number | undefined): Html => {
  const copy = texts.security.recoveryCodes
  const isFew = left !== undefined && left <= FEW_CODES
  const form = {
    page: "security",
    hidden: { ...flow, way: "recovery_codes" },
    fields: [],
    button: left === undefined ? copy.create : copy.renew,
    quiet: left !== undefined && !isFew
  }
  const offer = formMarkup(texts, form, [])
  return html`<section class="part" aria-labelledby="recovery">
<h2 id="recovery">${copy.heading}</h2>
<p>${copy.lead}</p>
${left !== undefined && html`<p${isFew && html` class="note"`}>${copy.left(left)}${isFew && html` ${copy.few}`}</p>`}
${left === undefined || isFew ? offer : collapsible(copy.renew, html`<p>${copy.renewLead}</p>${offer}`, false)}
</section>`
}

const fileOf = (name: string, codes: ReadonlyArray<string>): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(`${name}\n\n${codes.join("\n")}\n`)}`

/** Shows new recovery codes. They are never shown again. The script of the page adds buttons for copying and printing. */
export const newRecoveryCodesView = (
  { texts, realm, app, flow }: AppPageContext,
  codes: ReadonlyArray<string>
): View => {
  const copy = texts.security.recoveryCodes
  const file = { href: fileOf(brandNameOf({ realm, app }), codes), name: copy.fileName }
  return {
    status: 200,
    title: copy.title,
    content: html`<p>${copy.save}</p>
<ol class="codes" data-copy="${copy.copy}" data-copied="${copy.copied}" data-print="${copy.print}">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p class="codes-ways"><a class="choice" href="${file.href}" download="${file.name}">${copy.download}</a></p>
<p class="soft">${copy.once}</p>
${primaryLink(pageUrl("security", flow), copy.done)}`
  }
}
