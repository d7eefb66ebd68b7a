import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import { openApiDocument } from "#api/docs/Document"
import { DocumentedApi } from "#api/docs/Groups"
import { publicPathOf } from "#domain/PublicPath"
import { LoginDomains } from "#platform/LoginDomains"
import { HeaderNames } from "../Authentication.ts"
import { guideEntriesOf } from "./GuideRoutes.ts"
import { RELEASE } from "./Release.ts"
import { readOpenApi } from "./reference/OpenApi.ts"
import { groupPage, overviewPage, referenceEntries, slugOf } from "./reference/ReferencePages.ts"
import { docsScript } from "./Script.ts"
import { searchIn } from "./Search.ts"
import { searchPage } from "./SearchPage.ts"
import { staticText } from "./StaticText.ts"

const shortLived = { "cache-control": "public, max-age=300" }

/** For files whose URL contains a digest of their content. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

type Page = ReturnType<typeof overviewPage>

const pageText = ({ text, headers }: Page) =>
  staticText(text, "text/html; charset=utf-8", { ...headers, ...shortLived })

/**
 * `/openapi.json`, the API reference at `/docs` with a page for each group of endpoints, and the search over reference and
 * guides. All are public and built at the first request.
 */
export const DocsRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const headers = yield* HeaderNames
      const path = publicPathOf(publicUrl)
      const { origin: originOf } = yield* LoginDomains
      const loginUrl = originOf("{subdomain}")

      const json = yield* Effect.cached(
        Effect.sync(() => JSON.stringify(openApiDocument(DocumentedApi, { version: RELEASE, headers, loginUrl, path })))
      )
      const document = yield* Effect.cached(Effect.map(json, (text) => readOpenApi(JSON.parse(text))))
      const file = yield* Effect.cached(
        Effect.flatMap(json, (text) =>
          staticText(text, "application/json", { ...shortLived, "access-control-allow-origin": "*" })
        )
      )
      const overview = yield* Effect.cached(
        Effect.flatMap(document, (found) => pageText(overviewPage(publicUrl, found)))
      )
      const groups = yield* Effect.cached(
        Effect.flatMap(document, (found) =>
          Effect.forEach(found.tags, ({ name }) =>
            Effect.map(
              Effect.cached(Effect.suspend(() => pageText(groupPage(publicUrl, found, name)))),
              (page) => [slugOf(name), Effect.flatten(page)] as const
            )
          ).pipe(Effect.map((pages) => new Map(pages)))
        )
      )
      const search = yield* Effect.cached(
        Effect.uninterruptible(
          Effect.gen(function* () {
            const guides = yield* guideEntriesOf({ publicUrl, originOf })
            return searchIn([...referenceEntries(yield* document), ...guides])
          })
        )
      )
      const script = yield* staticText(docsScript, "text/javascript; charset=utf-8", immutable)

      yield* router.add("GET", "/openapi.json", Effect.flatten(file))
      yield* router.add("GET", "/docs", Effect.flatten(overview))
      yield* router.add("GET", "/docs/docs.js", script)
      yield* router.add(
        "GET",
        "/docs/reference/:group",
        Effect.gen(function* () {
          const { group = "" } = yield* HttpRouter.params
          const page = (yield* groups).get(group)
          if (page !== undefined) return yield* page
          const request = yield* HttpServerRequest.HttpServerRequest
          return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
        })
      )
      yield* router.add(
        "GET",
        "/docs/search",
        Effect.gen(function* () {
          const { url } = yield* HttpServerRequest.HttpServerRequest
          const query = (new URL(url, publicUrl).searchParams.get("q") ?? "").trim()
          return searchPage(publicUrl, query, (yield* search)(query))
        })
      )
    })
  )
