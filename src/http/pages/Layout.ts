import { HttpServerResponse } from "effect/http"
import { type Html, html } from "#platform/Html"
import { style, styleHash } from "./Style.ts"

/** The content security policy of a page: its own style and frames from this origin, nothing else, and no script. */
const policy = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  "img-src data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** A page for developers and operators. */
export interface PageLayout {
  readonly language: string
  readonly title: string
  /** The content of the header: a title and links. */
  readonly header: Html
  readonly main: Html
  readonly status?: number
  /** The request headers that the page depends on. */
  readonly vary?: string
}

/** The response with a page in the common layout. */
export const pageLayout = ({ language, title, header, main, status = 200, vary = "accept-language" }: PageLayout) => {
  // The policy names the style by its digest, so the style stands in its element without another character.
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>`
  const rest = html`</style>
</head>
<body>
<header><div>${header}</div></header>
<main>
${main}
</main>
</body>
</html>
`
  return HttpServerResponse.text(document.markup + style + rest.markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "content-language": language, vary }
  })
}
