import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "#api/Api"
import { openApiDocument } from "#api/docs/Document"
import { LoginDomains } from "#core/apps/LoginDomains"
import { HeaderNames } from "./Admission.ts"

/** The release, as the API's documents name it. */
const VERSION = "0.1.0"

/** The page runs the reader's own script from this origin, and talks to this origin only. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** `/openapi.json`, and `/docs` to read and try it: for everyone, made at the first request for it. */
export const DocsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const headers = yield* HeaderNames
    const loginUrl = (yield* LoginDomains).origin("{subdomain}")
    const document = yield* Effect.cached(
      Effect.sync(() => openApiDocument(Api, { version: VERSION, headers, loginUrl }))
    )
    const json = yield* Effect.cached(Effect.map(document, (made) => JSON.stringify(made)))
    const page = yield* Effect.cached(
      Effect.flatMap(document, (made) =>
        HttpRouter.toHttpEffect(
          HttpApiScalar.layer(
            Api.annotate(OpenApi.Transform, () => made),
            {
              scalar: { withDefaultFonts: false, authentication: { preferredSecurityScheme: "bearer" } }
            }
          )
        )
      )
    )
    const shared = { "cache-control": "public, max-age=300" }

    yield* router.add(
      "GET",
      "/openapi.json",
      Effect.map(json, (text) =>
        HttpServerResponse.text(text, {
          contentType: "application/json",
          headers: { ...shared, "access-control-allow-origin": "*" }
        })
      )
    )
    yield* router.add(
      "GET",
      "/docs",
      Effect.map(Effect.flatten(page), (response) =>
        HttpServerResponse.setHeaders(response, { ...shared, "content-security-policy": policy })
      )
    )
  })
)
