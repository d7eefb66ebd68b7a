import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import { groupsIn, guidePage } from "./Guide.ts"
import { fileOf, INDEX, markdownOf } from "./GuideFiles.ts"
import { staticText } from "./StaticText.ts"

const textOf = (name: string) =>
  Effect.map(
    Effect.promise(() => readFile(fileOf(name), "utf8")),
    (text) => markdownOf(name, text)
  )

/** The responses with the guides by name, and with the list of them. */
const rendered = Effect.gen(function* () {
  const groups = groupsIn(yield* textOf(INDEX))
  const names = [INDEX, ...groups.flatMap(({ guides }) => guides.map(({ name }) => name))]
  const pages = yield* Effect.forEach(names, (name) =>
    Effect.flatMap(textOf(name), (markdown) => {
      const { text, headers } = guidePage(groups, name, markdown)
      return staticText(text, "text/html; charset=utf-8", { ...headers, "cache-control": "public, max-age=300" })
    })
  )
  // The list itself has no name in addresses.
  return new Map(names.map((name, index) => [name === INDEX ? "" : name, pages[index]]))
})

/** `/docs/guides` and a page below it for each guide, for everyone. They are rendered at the first request for one. */
export const GuideRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const pages = yield* Effect.cached(Effect.uninterruptible(rendered))

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
