import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { realmIdIn } from "#domain/HostedPaths"
import { RealmNotFound } from "#domain/Realm"
import { LoginDomains } from "#platform/LoginDomains"
import { sessionSecretIn } from "./cookies/SessionCookie.ts"
import { notFoundView, problemView } from "./markup/Notices.ts"
import type { PageContext } from "./PageContext.ts"
import { unavailableResponse, viewResponse } from "./PageResponse.ts"
import { type HostedRequest, requestFinders, serve } from "./RequestShell.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest

const notFound = (context: PageContext, isLoggedIn = false) =>
  HttpServerResponse.setHeader(
    viewResponse(context, notFoundView(context, isLoggedIn)),
    "vary",
    "accept, accept-language"
  )

/** The page shown if a browser's request can't be read. */
const unreadable = (context: PageContext, status: number) =>
  viewResponse(context, problemView(context.texts, "unreadable", status))

/**
 * The page shown if a browser requests an unknown address or sends a request that can't be read. It has the style of the app
 * on the host, or of the realm in the path (C75). `publicUrl` is the URL of the service.
 */
export const notFoundPage = Effect.fnUntraced(function* ({ publicUrl }: { readonly publicUrl: string }) {
  const { origin } = new URL(publicUrl)
  const { findApp, findRealm } = yield* requestFinders
  const domains = yield* LoginDomains
  const browsers = yield* BrowserSessions

  const find = Effect.fnUntraced(function* (http: HttpRequest) {
    const isAppHost = domains.subdomainIn(http.headers["host"] ?? "") !== undefined
    const request: HostedRequest = isAppHost
      ? yield* findApp(http)
      : yield* findRealm(http, realmIdIn(http.url), origin)
    return request
  })

  const handler = serve({
    find,
    handle: Effect.fnUntraced(function* (request, status: number) {
      const { context } = request
      if (status !== 404) return unreadable(context, status)
      const { app } = context
      if (app === undefined) return notFound(context)
      const isLoggedIn = yield* browsers.find(app, sessionSecretIn(request)).pipe(
        Effect.as(true),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(false))
      )
      return notFound(context, isLoggedIn)
    }),
    failed: ({ context }) => notFound(context),
    missing: (context, failure, status: number) => {
      if (status !== 404) return unreadable(context, status)
      return failure instanceof RealmNotFound
        ? notFound(context)
        : viewResponse(context, problemView(context.texts, "no_app", 404))
    },
    unavailable: unavailableResponse
  })
  return (http: HttpRequest, status: number) => handler(status)(http)
})
