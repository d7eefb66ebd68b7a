import { publicPathOf } from "#domain/PublicPath"
import { type Html, html } from "#platform/Html"
import { RELEASE } from "../docs/Release.ts"
import { pageLayout } from "../pages/Layout.ts"
import type { Texts } from "./Texts.ts"

/** The pages that the home page can link to. */
type Link = "console" | "guides" | "docs" | "openapi" | "mailbox" | "health" | "metrics"

const paths: Readonly<Record<Link, string>> = {
  console: "/console",
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

/**
 * The visitor of the page. `own`: whether they are on the service's own machine. `console` and `mailbox`: whether the service
 * has these pages.
 */
interface Reader {
  readonly publicUrl: string
  readonly own: boolean
  readonly console: boolean
  readonly mailbox: boolean
}

const linksFor = ({ own, console, mailbox }: Reader): ReadonlyArray<Link> => [
  ...(console ? (["console"] as const) : []),
  "guides",
  "docs",
  "openapi",
  ...(own && mailbox ? (["mailbox"] as const) : []),
  "health",
  ...(own ? (["metrics"] as const) : [])
]

/** The home page. */
export const homePage = (texts: Texts, reader: Reader) =>
  pageLayout({
    publicUrl: reader.publicUrl,
    language: texts.language,
    title: "Sallyport",
    header: html`<a class="name" href="/">Sallyport</a><span class="release">${texts.version(RELEASE)}</span>`,
    main: html`<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<ul class="mails">${linksFor(reader).map((link) => row(texts, link))}</ul>`,
    vary: "accept, accept-language"
  })

/** The home page as JSON for programs: the release, and the path of each page. */
export const homeBody = (reader: Reader) => ({
  service: "Sallyport",
  version: RELEASE,
  ...Object.fromEntries(linksFor(reader).map((link) => [link, publicPathOf(reader.publicUrl) + paths[link]]))
})
