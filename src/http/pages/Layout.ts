import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import { publicPathOf, withPublicPath } from "#domain/PublicPath"
import { type Html, html } from "#platform/Html"
import { style as common } from "./Style.ts"

/**
 * A content security policy that allows the page's own style and frames from this origin, but no scripts. A page with a script
 * may load scripts from this origin and connect to it.
 */
const policyOf = (style: string, hasScript: boolean): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "img-src data:",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** A page for developers and operators. */
interface PageDocument {
  /** The service's URL, to which links that begin with `/` are relative. */
  readonly publicUrl: string
  readonly language: string
  readonly title: string
  /** The content of the page header: a title and links. */
  readonly header: Html
  readonly main: Html
  /** Additional style for this kind of page. */
  readonly style?: string
  /** The URL of the page's script, on this service. */
  readonly script?: string
}

/** A page in the common layout, and its headers. */
export const pageDocument = ({ publicUrl, language, title, header, main, style = "", script }: PageDocument) => {
  // The policy identifies the style by its digest, so the style element must contain nothing else.
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
</main>${
    script !== undefined &&
    html`
<script src="${script}" defer></script>`
  }
</body>
</html>
`
  return {
    text: document.markup + common + style + withPublicPath(publicPathOf(publicUrl), rest.markup),
    headers: { "content-security-policy": policyOf(common + style, script !== undefined), "content-language": language }
  }
}

/** A page that is rendered for each request. */
export interface PageLayout extends PageDocument {
  readonly status?: number
  /** The request headers that the page depends on. */
  readonly vary?: string
}

/** The response with a page in the common layout. */
export const pageLayout = ({ status = 200, vary = "accept-language", ...page }: PageLayout) => {
  const { text, headers } = pageDocument(page)
  return HttpServerResponse.text(text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, vary }
  })
}
