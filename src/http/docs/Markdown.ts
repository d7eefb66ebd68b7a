import { Marked } from "marked"
import { Html, html } from "#platform/Html"

/** Renders the descriptions of the API. They are part of this service; HTML in them is dropped. */
const marked = new Marked({ renderer: { html: () => "" } })

/** Renders text within a paragraph. */
export const inline = (text: string): Html => Html.of(marked.parseInline(text.trim(), { async: false }))

/** Renders a description as a paragraph, or as several blocks if it has lists or paragraphs. */
export const described = (text: string): Html =>
  /\n\s*(?:\n|- )/.test(text.trim()) ? blocks(text) : html`<p>${inline(text)}</p>`

/** Renders paragraphs and lists. */
export const blocks = (text: string): Html => Html.of(marked.parse(text, { async: false }))
