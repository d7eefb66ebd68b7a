import { type Html, html } from "#platform/Html"
import { pageLayout } from "../pages/Layout.ts"
import { guideStyle } from "./GuideStyle.ts"
import { docsHeader } from "./Header.ts"
import { scriptUrl } from "./Script.ts"
import { MAX_RESULTS, type SearchEntry } from "./Search.ts"

const countText = (count: number, query: string): Html => {
  if (query === "") return html`Type what you are looking for, such as a header, a setting or an endpoint.`
  if (count === 0) return html`Nothing found for “${query}”.`
  return html`${count === MAX_RESULTS ? `The first ${count}` : count} ${count === 1 ? "result" : "results"} for “${query}”`
}

/** The page with the results of a search. The script of the docs shows its list below the search field. */
export const searchPage = (publicUrl: string, query: string, found: ReadonlyArray<SearchEntry>) =>
  pageLayout({
    publicUrl,
    language: "en",
    title: "Search · Sallyport",
    header: docsHeader(undefined, query),
    main: html`<article class="guide">
<h1>Search</h1>
<div class="results"><p role="status">${countText(found.length, query)}</p>
<ul>${found.map(({ title, context, path }) => html`<li><a href="${path}"><b>${title}</b> <span>${context}</span></a></li>`)}</ul></div>
</article>`,
    style: guideStyle,
    script: scriptUrl
  })
