import { type Html, html } from "#platform/Html"

/** A part of the docs. */
export type Part = "guides" | "reference"

const parts: ReadonlyArray<readonly [part: Part, path: string, name: string]> = [
  ["guides", "/docs/guides", "Guides"],
  ["reference", "/docs", "API reference"]
]

/** What the header of every page of the docs contains: the name of the service and its parts, one of which is the page's. */
export const docsHeader = (current: Part): Html =>
  html`<a class="name" href="/">Sallyport</a><nav aria-label="Docs">${parts.map(([part, path, name]) =>
    part === current ? html`<a href="${path}" aria-current="true">${name}</a>` : html`<a href="${path}">${name}</a>`
  )}</nav>`
