import { HttpServerResponse } from "effect/http"
import { type Html, html } from "#core/Html"
import { style, styleHash } from "./Style.ts"
import type { Words } from "./Words.ts"

/** Its own style and a frame from this origin: nothing else, and no script at all. */
const policy = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  "img-src data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** A page of the mailbox. */
export const page = (words: Words, title: string, main: Html, status = 200): HttpServerResponse.HttpServerResponse => {
  // One line apart from what it says: its policy names the style by its digest.
  const document = html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sallyport</title>
<link rel="icon" href="data:,">
<style>`
  const rest = html`</style>
</head>
<body>
<header><div><a class="name" href="/mailbox">Sallyport <span>${words.mailbox}</span></a><nav><a href="/docs">${words.api}</a></nav></div></header>
<main>
${main}
</main>
</body>
</html>
`
  return HttpServerResponse.text(document.markup + style + rest.markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "content-language": words.language, vary: "accept-language" }
  })
}
