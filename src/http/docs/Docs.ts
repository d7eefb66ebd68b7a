import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { openApiDocument } from "#api/docs/Document"
import { DocumentedApi } from "#api/docs/Groups"
import { publicPathOf, withPublicPath } from "#domain/PublicPath"
import { LoginDomains } from "#platform/LoginDomains"
import { HeaderNames } from "../Authentication.ts"
import { docsHeader } from "./Header.ts"
import { RELEASE } from "./Release.ts"
import { digestOf, staticText } from "./StaticText.ts"

const settings = {
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: "bearer" },
  // Show only the API: no client to download, no vendor libraries or tools, no telemetry.
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "none",
  telemetry: false,
  customCss: "a[href^='https://www.scalar.com'], .scalar-reference-intro-clients { display: none }"
}

/**
 * Starts the API reader with our own code samples, which look like the samples in the guides. The reader's own samples list
 * every possible header and parameter without a value. Readers can still select them.
 */
const startScript = (path: string) => `const sampleOf = (method, address, body) => [
  "curl" + (method === "get" || (method === "post" && body) ? " " : " -X " + method.toUpperCase() + " ") + address,
  '-H "Authorization: Bearer $KEY"',
  ...(body ? ["--json '" + JSON.stringify(body, null, 2).replaceAll("'", "'\\\\''") + "'"] : [])
].join(" \\\\\\n  ")
fetch("${path}/openapi.json").then((response) => response.json()).then((content) => {
  for (const [path, operations] of Object.entries(content.paths)) {
    if (!/^.v[12]./.test(path)) continue
    for (const [method, operation] of Object.entries(operations)) {
      const body = operation.requestBody?.content["application/json"]?.example
      const needed = operation.parameters.filter((parameter) => parameter.in === "query" && parameter.required)
      const query = needed.map(({ name }) => name + "={" + name + "}").join("&")
      const address = location.origin + "${path}" + path + (query ? "?" + query : "")
      const source = sampleOf(method, query ? '"' + address + '"' : address, body)
      operation["x-codeSamples"] ??= [{ lang: "shell", label: "curl", source }]
    }
  }
  Scalar.createApiReference("#reference", { ...${JSON.stringify(settings)}, content })
})`

/** The page's content security policy: the reader is loaded from this origin and connects only to this origin. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The style of the header, like the header of the guides, above a reader with its own style. */
const headerStyle = `
:root { color-scheme: light dark; --scalar-custom-header-height: 57px; }
body { margin: 0; }
.docs { position: sticky; top: 0; z-index: 100; height: 57px; box-sizing: border-box; background: var(--scalar-background-1, #fff);
  border-bottom: 1px solid var(--scalar-border-color, #e0e0e0); color: var(--scalar-color-1, #1b1b1b); }
.docs div { padding: 16px 20px; display: flex; gap: 16px; font: 16px/24px system-ui, -apple-system, "Segoe UI", Roboto,
  Helvetica, Arial, sans-serif; }
.docs nav { display: flex; gap: 20px; margin-left: auto; }
.docs a { color: inherit; text-decoration: none; }
.docs a:hover { text-decoration: underline; }
.docs .name { font-weight: 600; }
.docs nav a { color: var(--scalar-color-2, #636363); }
.docs nav a[aria-current] { color: inherit; font-weight: 500; }
`

/**
 * The HTML of the page is small. It loads the reader and its start script from addresses that contain a digest of their
 * content.
 */
const page = (reader: string, start: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Sallyport</title>
<link rel="icon" href="data:,">
<style>${headerStyle}</style>
</head>
<body>
<header class="docs"><div>${docsHeader("reference").markup}</div></header>
<div id="reference"></div>
<script src="/docs/reader.js?v=${digestOf(reader)}"></script>
<script src="/docs/start.js?v=${digestOf(start)}"></script>
</body>
</html>
`

/** The script that renders an OpenAPI document, extracted from a page that the framework generates. */
const readerScript = Effect.gen(function* () {
  const response = yield* Effect.flatten(HttpRouter.toHttpEffect(HttpApiScalar.layer(HttpApi.make("nothing"))))
  const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  const start = html.indexOf("<script>") + "<script>".length
  return html.slice(start, html.indexOf("</script>", start))
})

/** `/openapi.json` and `/docs`, where people can read and try the API. Both are public and built at the first request. */
export const DocsRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const headers = yield* HeaderNames
      const path = publicPathOf(publicUrl)
      const starting = startScript(path)
      const loginUrl = (yield* LoginDomains).origin("{subdomain}")
      const shortLived = { "cache-control": "public, max-age=300" }
      // The reader's address contains its digest, so browsers can cache it for a year.
      const immutable = { "cache-control": "public, max-age=31536000, immutable" }
      const script = yield* Effect.cached(Effect.uninterruptible(readerScript))

      const document = yield* Effect.cached(
        Effect.suspend(() => {
          const made = JSON.stringify(openApiDocument(DocumentedApi, { version: RELEASE, headers, loginUrl, path }))
          return staticText(made, "application/json", { ...shortLived, "access-control-allow-origin": "*" })
        })
      )
      const docs = yield* Effect.cached(
        Effect.flatMap(script, (text) =>
          staticText(withPublicPath(path, page(text, starting)), "text/html; charset=utf-8", {
            ...shortLived,
            "content-security-policy": policy
          })
        )
      )
      const reader = yield* Effect.cached(
        Effect.flatMap(script, (text) => staticText(text, "text/javascript; charset=utf-8", immutable))
      )
      const start = yield* Effect.cached(staticText(starting, "text/javascript; charset=utf-8", immutable))
      yield* router.add("GET", "/openapi.json", Effect.flatten(document))
      yield* router.add("GET", "/docs", Effect.flatten(docs))
      yield* router.add("GET", "/docs/reader.js", Effect.flatten(reader))
      yield* router.add("GET", "/docs/start.js", Effect.flatten(start))
    })
  )
