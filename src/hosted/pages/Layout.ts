import { Html, html } from "#core/Html"
import type { Reader } from "../Reader.ts"
import { style } from "./Style.ts"

/** A page before it is laid out. `title` is its heading too, and holds nothing that anybody typed. */
export interface Page {
  readonly status: number
  readonly title: string
  /** Whether a form came back with errors: said first, by the title that a screen reader reads first. */
  readonly refused?: boolean
  /** What stands above the heading, decorative. */
  readonly sign?: Html
  readonly content: Html
  readonly retryAfterSeconds?: number
  /** Where its form leads in the end, elsewhere. */
  readonly next?: string
  /** The methods that are taken, where another was used. */
  readonly allow?: string
}

const check = html`<path d="m5 12.5 4.5 4.5L19 7.5" />`
const bang = html`<path d="M12 6v7.5M12 17.7v.1" />`

const sign = (className: string, path: Html): Html =>
  html`<div class="sign ${className}"><svg viewBox="0 0 24 24" aria-hidden="true">${path}</svg></div>`

/** Above what went well, and above what can't be. */
export const signs = { good: sign("good", check), wait: sign("wait", bang) }

const initial = (text: string): string => {
  const [first] = new Intl.Segmenter().segment(text.trim())
  return first?.segment.toUpperCase() ?? ""
}

const brand = (realm: string): Html =>
  html`<header><span aria-hidden="true">${initial(realm)}</span><p><bdi>${realm}</bdi></p></header>`

/** A whole document: the realm's name, one heading, and the page below it. No script, nothing from elsewhere. */
export const laidOut = ({ texts, realm }: Reader, page: Page): string => {
  const heading = page.refused === true ? texts.form.errorTitle(page.title) : page.title
  const title = realm === undefined ? heading : `${heading} – ${realm.name}`
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${Html.of(style)}</style>
</head>
<body>
${realm === undefined ? "" : brand(realm.name)}
<main>
${page.sign}
<h1>${page.title}</h1>
${page.content}
</main>
</body>
</html>
`.markup
}
