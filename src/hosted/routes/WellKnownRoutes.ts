import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { RelyingParties } from "#core/apps/RelyingParties"
import { isRead, requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "./BrowserRoutes.ts"

/** The number of seconds for which browsers can cache the list. */
const MAX_AGE = 300

const json = (body: object, status = 200) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": `public, max-age=${MAX_AGE}` } })

/**
 * `/.well-known/webauthn` on the hosts of connected apps. It lists the origins that can use this host's passkeys, which are
 * the hosts of the realm's connected apps (WebAuthn Level 3).
 */
export const WellKnownRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { findApp } = yield* requestFinders
    const relyingParties = yield* RelyingParties

    const handler = serve({
      find: findApp,
      preflight: ({ http }) =>
        isRead(http) ? undefined : HttpServerResponse.empty({ status: 405, headers: { allow: "GET, HEAD" } }),
      handle: () => Effect.map(relyingParties.origins, (origins) => json({ origins })),
      failed: () => HttpServerResponse.empty({ status: 500 }),
      missing: () => json({ origins: [] }, 404),
      unavailable: () => undefined
    })

    yield* addRoute(router, "/.well-known/webauthn", handler(undefined))
  })
)
