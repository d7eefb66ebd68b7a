import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { hostedOperations } from "#api/hosted/V1"
import { CurrentRequestContext } from "#platform/RequestContext"
import { apiUrlOf, CONSOLE_API } from "../ConsolePaths.ts"
import { ConsoleRequest } from "../ConsoleRequest.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { browserOrigins } from "./BrowserOrigin.ts"
import { consoleCookie } from "./ConsoleCookie.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { consoleShell } from "./ConsoleShell.ts"

/** Hosted login has its own API below the same path. It needs no API key. */
const hostedApi: ReadonlySet<string> = new Set(Object.values(hostedOperations).map(({ path }) => path))

const isManagement = (url: string): boolean => !hostedApi.has(url.split("?", 1)[0] ?? "")

/**
 * Serves `/console/api/v2/…` to the console's pages. The handlers are those of `/v2/…`, but the session's cookie authenticates
 * the request instead of an API key (C201). Handlers see the management API address; logs and metrics show the console's.
 */
export const ConsoleApi = (options: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { isForApp, requireOwnPage } = yield* consoleShell(options)
      const cookie = consoleCookie(options.publicUrl)
      const { originOf } = yield* browserOrigins
      yield* router.addGlobalMiddleware((handler) =>
        Effect.flatMap(Effect.context<HttpServerRequest.HttpServerRequest>(), (services) => {
          const request = Context.get(services, HttpServerRequest.HttpServerRequest)
          const url = apiUrlOf(request.url)
          if (url === undefined || !isManagement(url) || isForApp(request)) return handler
          const context = Context.get(services, CurrentRequestContext)
          const called = Effect.updateContext(handler, (beneath: typeof services) =>
            beneath.pipe(
              Context.add(HttpServerRequest.HttpServerRequest, request.modify({ url })),
              Context.add(ConsoleRequest, { secret: cookie.read(request), origin: originOf(request) })
            )
          )
          const named = Effect.sync(() => {
            if (context.route !== undefined) context.route = CONSOLE_API + context.route
          })
          return withErrorResponses(Effect.andThen(requireOwnPage, Effect.ensuring(called, named)))
        })
      )
    })
  )
