import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { problem } from "#domain/Rejected"
import { CurrentRequestContext } from "#platform/RequestContext"
import { errorResponse } from "../Errors.ts"
import { ConsoleApi } from "./ConsoleApi.ts"
import { consoleFiles } from "./ConsoleFiles.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { consoleShell, notFoundResponse } from "./ConsoleShell.ts"
import { PreviewRoutes } from "./PreviewRoutes.ts"
import { SessionRoutes } from "./SessionRoutes.ts"

/** Serves the console's page at each of its addresses, and the page's files. */
const FileRoutes = (options: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const files = yield* consoleFiles(options)
      const { at } = yield* consoleShell(options)
      const notBuilt = Effect.map(CurrentRequestContext, (context) =>
        errorResponse(404, [problem(null, "console_not_built")], context)
      )
      const page = Effect.flatMap(files, (built) => built?.page ?? notBuilt)
      const asset = Effect.gen(function* () {
        const { "*": name = "" } = yield* HttpRouter.params
        const built = yield* files
        return yield* built?.assets.get(name) ?? notFoundResponse
      })
      yield* router.add("GET", "/console/*", at("/console/*", page))
      yield* router.add("GET", "/console/assets/*", at("/console/assets/*", asset))
      // No page of the console exists below these paths.
      for (const path of ["/console/api/*", "/console/auth/*", "/console/preview/*"] as const)
        yield* router.add("*", path, notFoundResponse)
    })
  )

/** Returns 404 at the console's addresses for every method. */
const NoConsole = HttpRouter.use(({ add }) => add("*", "/console/*", notFoundResponse))

/** `/console`, the web interface for managing the service. Returns 404 with `SALLYPORT_CONSOLE=off`. */
export const ConsoleRoutes = (options: ConsoleOptions) =>
  options.console
    ? Layer.mergeAll(FileRoutes(options), SessionRoutes(options), PreviewRoutes(options), ConsoleApi(options))
    : NoConsole
