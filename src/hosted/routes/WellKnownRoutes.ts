import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { RelyingParties } from "#core/apps/RelyingParties"
import type { CurrentRealm } from "#domain/Realm"
import { type AppRequest, isRead, requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "./BrowserRoutes.ts"

/** The number of seconds for which browsers can cache a response. */
const MAX_AGE = 300

const headers = { "cache-control": `public, max-age=${MAX_AGE}` }

const json = (body: object, status = 200) => HttpServerResponse.jsonUnsafe(body, { status, headers })

/**
 * The well-known URLs for browsers and password managers, on the hosts of connected apps.
 *
 * - `/.well-known/webauthn` lists the origins that can use this host's passkeys, which are the hosts of the realm's connected
 *   apps (WebAuthn Level 3).
 * - `/.well-known/passkey-endpoints` names the pages where users create and manage passkeys.
 * - `/.well-known/change-password` redirects to the page where users change their password.
 */
export const WellKnownRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { findApp } = yield* requestFinders
    const relyingParties = yield* RelyingParties
    const passkeys = yield* AccountPasskeys

    /** Serves a URL. `missing`: the body for a host without an app. */
    const handler = (
      handle: (request: AppRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, CurrentRealm>,
      missing: object
    ) =>
      serve({
        find: findApp,
        preflight: ({ http }) =>
          isRead(http) ? undefined : HttpServerResponse.empty({ status: 405, headers: { allow: "GET, HEAD" } }),
        handle,
        failed: () => HttpServerResponse.empty({ status: 500 }),
        missing: () => json(missing, 404),
        unavailable: () => undefined
      })(undefined)

    const origins = handler(() => Effect.map(relyingParties.origins, (origins) => json({ origins })), { origins: [] })

    const endpoints = handler(
      ({ origin }) =>
        Effect.map(passkeys.isSupported, (isSupported) =>
          isSupported ? json({ enroll: `${origin}/passkey`, manage: `${origin}/security#passkeys` }) : json({}, 404)
        ),
      {}
    )

    const changePassword = handler(
      ({ origin }) =>
        Effect.succeed(HttpServerResponse.redirect(`${origin}/security#passwords`, { status: 302, headers })),
      {}
    )

    yield* addRoute(router, "/.well-known/webauthn", origins)
    yield* addRoute(router, "/.well-known/passkey-endpoints", endpoints)
    yield* addRoute(router, "/.well-known/change-password", changePassword)
  })
)
