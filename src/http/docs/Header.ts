import { type Html, html } from "#platform/Html"

/** A section of the docs. */
export type Part = "guides" | "reference"

const parts: ReadonlyArray<readonly [part: Part, path: string, name: string]> = [
  ["guides", "/docs/guides", "Guides"],
  ["reference", "/docs", "API reference"]
]

/**
 * The header of every docs page: the service's name, the search and the sections, with the current one marked. `query` is the
 * text of the search.
 */
export const docsHeader = (current: Part | undefined, query = ""): Html =>
  html`<a class="name" href="/">Sallyport</a>
<form role="search" method="get" action="/docs/search"><input type="search" name="q" value="${query}" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off" spellcheck="false"></form>
<nav aria-label="Docs">${parts.map(([part, path, name]) =>
    part === current ? html`<a href="${path}" aria-current="true">${name}</a>` : html`<a href="${path}">${name}</a>`
  )}</nav>`
