import { type Html, html } from "#platform/Html"
import { RELEASE } from "../docs/Release.ts"
import { pageLayout } from "../pages/Layout.ts"
import type { Texts } from "./Texts.ts"

/** A page that the home page links to. */
type Link = "guides" | "docs" | "openapi" | "mailbox" | "health" | "metrics"

const paths: Readonly<Record<Link, string>> = {
  guides: "/docs/guides",
  docs: "/docs",
  openapi: "/openapi.json",
  mailbox: "/mailbox",
  health: "/readyz",
  metrics: "/metrics"
}

const row = (texts: Texts, link: Link): Html => {
  const [name, about] = texts[link]
  const path = paths[link]
  return html`<li><a href="${path}"><strong>${name}</strong><code>${path}</code><span class="who">${about}</span></a></li>
`
}

/** The home page. `own`: whether the reader is on the service's own machine; `mailbox`: whether the service has a mailbox. */
export const homePage = (texts: Texts, { own, mailbox }: { readonly own: boolean; readonly mailbox: boolean }) => {
  const links: ReadonlyArray<Link> = [
    "guides",
    "docs",
    "openapi",
    ...(own && mailbox ? (["mailbox"] as const) : []),
    "health",
    ...(own ? (["metrics"] as const) : [])
  ]
  return pageLayout({
    language: texts.language,
    title: "Sallyport",
    header: html`<a class="name" href="/">Sallyport</a><span class="release">${texts.version(RELEASE)}</span>`,
    main: html`<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<ul class="mails">${links.map((link) => row(texts, link))}</ul>`,
    vary: "accept, accept-language"
  })
}
