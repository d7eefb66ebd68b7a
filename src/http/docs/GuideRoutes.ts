import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import { LoginDomains } from "#platform/LoginDomains"
import { groupsIn, guidePage, idOf, pathOf } from "./Guide.ts"
import { type Addresses, fileOf, INDEX, markdownOf } from "./GuideFiles.ts"
import { guideEntries } from "./Search.ts"
import { staticText } from "./StaticText.ts"

const textOf = (name: string, addresses: Addresses) =>
  Effect.map(
    Effect.promise(() => readFile(fileOf(name), "utf8")),
    (text) => markdownOf(name, text, addresses)
  )

const groupsOf = (addresses: Addresses) => Effect.map(textOf(INDEX, addresses), groupsIn)

/** The sections of all guides, for the search. */
export const guideEntriesOf = Effect.fnUntraced(function* (addresses: Addresses) {
  const guides = (yield* groupsOf(addresses)).flatMap(({ guides }) => guides)
  const found = yield* Effect.forEach(guides, ({ name, title }) =>
    Effect.map(textOf(name, addresses), (markdown) => guideEntries(title, pathOf(name), markdown, idOf))
  )
  return found.flat()
})

/** Renders the responses of all guides, keyed by name, and of the index. */
const rendered = Effect.fnUntraced(function* (addresses: Addresses) {
  const groups = yield* groupsOf(addresses)
  const names = [INDEX, ...groups.flatMap(({ guides }) => guides.map(({ name }) => name))]
  const pages = yield* Effect.forEach(names, (name) =>
    Effect.flatMap(textOf(name, addresses), (markdown) => {
      const { text, headers } = guidePage(addresses.publicUrl, groups, name, markdown)
      return staticText(text, "text/html; charset=utf-8", { ...headers, "cache-control": "public, max-age=300" })
    })
  )
  // The index has no name in its URL.
  return new Map(names.map((name, index) => [name === INDEX ? "" : name, pages[index]]))
})
/**
 * `/docs/guides`, and a page for each guide. All are public and rendered at the first request, with this service's addresses.
 */
export const GuideRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { origin: originOf } = yield* LoginDomains
      const pages = yield* Effect.cached(Effect.uninterruptible(rendered({ publicUrl, originOf })))

      const page = Effect.fnUntraced(function* (name: string) {
        const found = (yield* pages).get(name)
        if (found !== undefined) return yield* found
        const request = yield* HttpServerRequest.HttpServerRequest
        return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
      })

      yield* router.add("GET", "/docs/guides", page(""))
      yield* router.add(
        "GET",
        "/docs/guides/:guide",
        Effect.flatMap(HttpRouter.params, ({ guide = "" }) => page(guide))
      )
    })
  )
