import { type Html, html } from "#platform/Html"
import { formMarkup } from "../../markup/Fields.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The section that offers users what the service holds of them. */
export const dataSection = ({ texts, flow }: AppPageContext): Html => {
  const { profile: copy } = texts
  const form = { page: "profile", hidden: { ...flow, way: "export" }, fields: [], button: copy.dataButton, quiet: true }
  return html`<section class="part" aria-labelledby="data">
<h2 id="data">${copy.data}</h2>
<p>${copy.dataLead}</p>
${formMarkup(texts, form, [])}
</section>`
}
