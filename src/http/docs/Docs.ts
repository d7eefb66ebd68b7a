import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { openApiDocument } from "#api/docs/Document"
import { DocumentedApi } from "#api/docs/Groups"
import { LoginDomains } from "#platform/LoginDomains"
import { HeaderNames } from "../Authentication.ts"
import { RELEASE } from "./Release.ts"
import { digestOf, staticText } from "./StaticText.ts"

const startScript = `Scalar.createApiReference("#reference", ${JSON.stringify({
  url: "/openapi.json",
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: "bearer" }
})})`

const startScriptDigest = createHash("sha256").update(startScript).digest("base64")

/** The content security policy of the page: it runs the reader from this origin, and connects to this origin only. */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${startScriptDigest}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The page itself is small: it loads the reader from an address that changes with each release of the reader. */
const page = (reader: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sallyport API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/reader.js?v=${digestOf(reader)}"></script>
<script>${startScript}</script>
</body>
</html>
`

/** The script that renders an OpenAPI document, taken from the page that the framework brings. */
const readerScript = Effect.gen(function* () {
  const response = yield* Effect.flatten(HttpRouter.toHttpEffect(HttpApiScalar.layer(HttpApi.make("nothing"))))
  const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  const start = html.indexOf("<script>") + "<script>".length
  return html.slice(start, html.indexOf("</script>", start))
})

/** `/openapi.json`, and `/docs` to read and try it, for everyone. Both are made at the first request for them. */
export const DocsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const headers = yield* HeaderNames
    const loginUrl = (yield* LoginDomains).origin("{subdomain}")
    const shortLived = { "cache-control": "public, max-age=300" }
    // The address of the reader holds its digest, so that browsers may keep it for a year.
    const immutable = { "cache-control": "public, max-age=31536000, immutable" }
    const script = yield* Effect.cached(Effect.uninterruptible(readerScript))

    const document = yield* Effect.cached(
      Effect.suspend(() => {
        const made = JSON.stringify(openApiDocument(DocumentedApi, { version: RELEASE, headers, loginUrl }))
        return staticText(made, "application/json", { ...shortLived, "access-control-allow-origin": "*" })
      })
    )
    const docs = yield* Effect.cached(
      Effect.flatMap(script, (text) =>
        staticText(page(text), "text/html; charset=utf-8", { ...shortLived, "content-security-policy": policy })
      )
    )
    const reader = yield* Effect.cached(
      Effect.flatMap(script, (text) => staticText(text, "text/javascript; charset=utf-8", immutable))
    )
    yield* router.add("GET", "/openapi.json", Effect.flatten(document))
    yield* router.add("GET", "/docs", Effect.flatten(docs))
    yield* router.add("GET", "/docs/reader.js", Effect.flatten(reader))
  })
)
