import { HttpServerResponse } from "effect/http"
import { type Html, html } from "#platform/Html"
import { style, styleHash } from "./Style.ts"

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

/** A page of the service's own, for whoever builds with it. */
export interface PageLayout {
  readonly language: string
  readonly title: string
  /** What stands above it: whose page it is, and where else one may go. */
  readonly header: Html
  readonly main: Html
  readonly status?: number
  /** What of a request the page depends on. */
  readonly vary?: string
}

/** A page as it is sent. */
export const pageLayout = ({ language, title, header, main, status = 200, vary = "accept-language" }: PageLayout) => {
  // One line apart from what it says: its policy names the style by its digest.
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
