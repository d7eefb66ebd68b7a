import { type Html, html } from "#platform/Html"

/** A part of a page that opens when its summary is clicked, also without scripts. */
export const folded = (summary: Html | string, content: Html, isOpen: boolean): Html =>
  html`<details class="more"${isOpen && html` open`}>
<summary><span>${summary}</span></summary>
${content}</details>
`
