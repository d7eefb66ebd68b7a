import { Effect } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { appPagePath } from "#domain/HostedPaths"
import { LoginDomains } from "#platform/LoginDomains"
import { CurrentRequestContext } from "#platform/RequestContext"
import type { ConsoleOptions } from "../console/ConsoleOptions.ts"
import { LocalRequests } from "../LocalRequest.ts"
import { catalogueOf } from "../MessageCatalogue.ts"
import { wantsPage } from "../PagePreference.ts"
import { homeBody, homePage } from "./HomePage.ts"
import { textsOf } from "./Texts.ts"

/**
 * `GET /` links to the service's pages. Browsers get a page, all other callers get JSON. On the host of an app, it redirects
 * browsers to the login page and returns 404 to all other callers.
 */
export const HomeRoute = ({ publicUrl, console, mailbox }: Pick<ConsoleOptions, "publicUrl" | "console" | "mailbox">) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const apps = yield* ConnectedApps
      const domains = yield* LoginDomains
      const { isLocal } = yield* LocalRequests

      const home = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const notFound = new HttpServerError.HttpServerError({
          reason: new HttpServerError.RouteNotFound({ request })
        })
        const page = wantsPage(request.headers["accept"])
        const host = request.headers["host"] ?? ""
        const ofApps = domains.subdomainIn(host) !== undefined
        if (ofApps && !page) return yield* notFound
        const context = yield* CurrentRequestContext
        context.route = "/"
        if (ofApps) {
          yield* Effect.mapError(apps.atHost(host), () => notFound)
          return HttpServerResponse.redirect(appPagePath("login"), { headers: { vary: "accept" } })
        }
        const own = isLocal(request)
        if (page) return homePage(textsOf(catalogueOf(context).language), { publicUrl, own, console, mailbox })
        return HttpServerResponse.jsonUnsafe(homeBody({ publicUrl, own, console, mailbox }), {
          headers: { vary: "accept" }
        })
      })

      yield* router.add("GET", "/", home)
    })
  )
