import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { Api } from "#api/Api"
import { openApiDocument } from "#api/docs/Document"
import { LoginDomains } from "#platform/LoginDomains"
import { HeaderNames } from "../Authentication.ts"
import { digestOf, staticText } from "./PublicText.ts"
import { RELEASE } from "./Release.ts"

const begin = `Scalar.createApiReference("#reference", ${JSON.stringify({
  url: "/openapi.json",
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: "bearer" }
})})`

const beginDigest = createHash("sha256").update(begin).digest("base64")

/** The page runs the reader from this origin, and talks to this origin only. */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${beginDigest}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The page itself is small: the reader is an address of its own, which browsers fetch once for each release of it. */
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
<script>${begin}</script>
</body>
</html>
`

/** The script that shows an OpenAPI document, out of the page that comes with the framework. */
const readerScript = Effect.gen(function* () {
  const response = yield* Effect.flatten(HttpRouter.toHttpEffect(HttpApiScalar.layer(HttpApi.make("nothing"))))
  const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  const start = html.indexOf("<script>") + "<script>".length
  return html.slice(start, html.indexOf("</script>", start))
})

/** `/openapi.json`, and `/docs` to read and try it: for everyone, made at the first request for it. */
export const DocsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const headers = yield* HeaderNames
    const loginUrl = (yield* LoginDomains).origin("{subdomain}")
    const shared = { "cache-control": "public, max-age=300" }
    // The page names it by what it holds.
    const forLong = { "cache-control": "public, max-age=31536000, immutable" }
    const script = yield* Effect.cached(Effect.uninterruptible(readerScript))

    const document = yield* Effect.cached(
      Effect.suspend(() => {
        const made = JSON.stringify(openApiDocument(Api, { version: RELEASE, headers, loginUrl }))
        return staticText(made, "application/json", { ...shared, "access-control-allow-origin": "*" })
      })
    )
    const docs = yield* Effect.cached(
      Effect.flatMap(script, (text) =>
        staticText(page(text), "text/html; charset=utf-8", { ...shared, "content-security-policy": policy })
      )
    )
    const reader = yield* Effect.cached(
      Effect.flatMap(script, (text) => staticText(text, "text/javascript; charset=utf-8", forLong))
    )
    yield* router.add("GET", "/openapi.json", Effect.flatten(document))
    yield* router.add("GET", "/docs", Effect.flatten(docs))
    yield* router.add("GET", "/docs/reader.js", Effect.flatten(reader))
  })
)
