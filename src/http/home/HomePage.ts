import { type Html, html } from "#platform/Html"
import { RELEASE } from "../docs/Release.ts"
import { pageLayout } from "../pages/Layout.ts"
import type { Words } from "./Words.ts"

/** A place that the page leads to. */
type Place = "docs" | "openapi" | "mailbox" | "health" | "metrics"

const addresses: Readonly<Record<Place, string>> = {
  docs: "/docs",
  openapi: "/openapi.json",
  mailbox: "/mailbox",
  health: "/readyz",
  metrics: "/metrics"
}

const row = (words: Words, place: Place): Html => {
  const [name, about] = words[place]
  const address = addresses[place]
  return html`<li><a href="${address}"><strong>${name}</strong><code>${address}</code><span class="who">${about}</span></a></li>
`
}

/** Where things are. `own`: whether the reader sits at the service's own machine; `mailbox`: whether mails stay there. */
export const homePage = (words: Words, { own, mailbox }: { readonly own: boolean; readonly mailbox: boolean }) => {
  const places: ReadonlyArray<Place> = [
    "docs",
    "openapi",
    ...(own && mailbox ? (["mailbox"] as const) : []),
    "health",
    ...(own ? (["metrics"] as const) : [])
  ]
  return pageLayout({
    language: words.language,
    title: "Sallyport",
    header: html`<a class="name" href="/">Sallyport</a><span class="release">${words.version(RELEASE)}</span>`,
    main: html`<h1>${words.title}</h1>
<p>${words.lead}</p>
<ul class="mails">${places.map((place) => row(words, place))}</ul>`,
    vary: "accept, accept-language"
  })
}
