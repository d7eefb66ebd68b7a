import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { ActiveClients } from "#core/oauth/ActiveClients"
import { type Appearance, emailLogoNames, emailLogosOf, type Logo, logoPath, logoTypeOf } from "#domain/Appearance"
import { queryValues } from "../Form.ts"
import { problemView } from "../markup/Notices.ts"
import type { PageContext } from "../PageContext.ts"
import { unavailableResponse, viewResponse } from "../PageResponse.ts"
import { type AppRequest, isRead, MethodNotAllowed, requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "./BrowserRoutes.ts"

/**
 * The headers of every logo. They restrict the file to being an image: if a browser opens an SVG directly, it runs no script,
 * loads no other resources, and gets an opaque origin (SEC-138). The URL of a logo changes with its content.
 */
const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** The headers of the logos of emails, which mail clients show on their own pages. Their URL stays the same. */
const emailHeaders = {
  ...headers,
  "cache-control": "public, max-age=3600",
  "cross-origin-resource-policy": "cross-origin"
}

const logoResponse = ({ file, bytes }: Logo, isEmail: boolean) =>
  HttpServerResponse.uint8Array(bytes, { contentType: logoTypeOf(file), headers: isEmail ? emailHeaders : headers })

/** Returns the file of an email's logo, or undefined if the path is not the one of an email's logo. */
const emailLogoOf = (appearance: Appearance, name: string) => {
  const { light, dark } = emailLogosOf(appearance)
  if (name === emailLogoNames.light) return light ?? dark
  return name === emailLogoNames.dark ? dark : undefined
}

const notFound = (context: PageContext) => viewResponse(context, problemView(context.texts, "nowhere", 404))

/** Serves the logos of apps, and of OAuth clients whose users log in there, on the hosts of the apps. */
export const LogoRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const apps = yield* ConnectedApps
    const clients = yield* ActiveClients
    const { findApp } = yield* requestFinders

    const clientOf = (id: string) =>
      Effect.catchTag(clients.find(id), "OAuthClientNotFound", () => Effect.succeed(undefined))

    const handler = serve({
      find: findApp,
      handle: Effect.fnUntraced(function* ({ app, context, http }: AppRequest) {
        if (!isRead(http)) return yield* new MethodNotAllowed()
        const name = /^[^?]*\/([^/?]*)/.exec(http.url)?.[1] ?? ""
        const clientId = queryValues(http)("client_id")
        const owner = clientId === "" ? app : yield* clientOf(clientId)
        if (owner === undefined) return notFound(context)
        const emailLogo = emailLogoOf(owner.appearance, name)
        const logo = yield* apps.logo(owner, emailLogo ?? name)
        return logo === undefined ? notFound(context) : logoResponse(logo, emailLogo !== undefined)
      }),
      failed: ({ context }) => {
        const view = problemView(context.texts, "method", 405)
        return viewResponse(context, { ...view, allow: ["GET", "HEAD"] })
      },
      missing: notFound,
      unavailable: unavailableResponse
    })

    yield* addRoute(router, logoPath(":file"), handler(undefined))
  })
)
