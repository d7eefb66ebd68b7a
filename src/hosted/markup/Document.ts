import { Html, html } from "#platform/Html"
import type { Reader } from "../PageContext.ts"
import { script } from "./Script.ts"
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
const envelope = html`<path d="M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6" />`

const sign = (className: string, path: Html): Html =>
  html`<div class="sign ${className}"><svg viewBox="0 0 24 24" aria-hidden="true">${path}</svg></div>`

/** Above what went well, above what can't be, and above what goes on in a mail. */
export const signs = { good: sign("good", check), wait: sign("wait", bang), mail: sign("mail", envelope) }

const initial = (text: string): string => {
  const [first] = new Intl.Segmenter().segment(text.trim())
  return first?.segment.toUpperCase() ?? ""
}

const brand = (realm: string): Html =>
  html`<header class="brand"><span aria-hidden="true">${initial(realm)}</span><p><bdi>${realm}</bdi></p></header>`

/** What an app has above its pages, cleaned when it was stored; else the realm's name. */
const above = ({ realm, app }: Reader): Html => {
  const header = app?.header ?? undefined
  if (header !== undefined) return html`<header class="above">${Html.of(header)}</header>`
  return realm === undefined ? html`` : brand(realm.name)
}

const below = ({ app }: Reader): Html => {
  const footer = app?.footer ?? undefined
  return footer === undefined ? html`` : html`<footer class="below">${Html.of(footer)}</footer>`
}

/** A whole document: whose it is, one heading, and the page below it. */
export const laidOut = (reader: Reader, page: Page): string => {
  const { texts, realm, app } = reader
  const heading = page.refused === true ? texts.form.errorTitle(page.title) : page.title
  const title = realm === undefined ? heading : `${heading} – ${realm.name}`
  const css = app?.externalCss ?? undefined
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${Html.of(style)}</style>
${css !== undefined && html`<link rel="stylesheet" href="${css}">`}
<script>${Html.of(script)}</script>
</head>
<body>
${above(reader)}
<main>
${page.sign}
<h1>${page.title}</h1>
${page.content}
</main>
${below(reader)}
</body>
</html>
`.markup
}
