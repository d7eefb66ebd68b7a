import { Effect, Option } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { appPagePath } from "#domain/HostedPaths"
import { LoginDomains } from "#platform/LoginDomains"
import { CurrentRequestContext } from "#platform/RequestContext"
import { isLocalRequest } from "../LocalRequest.ts"
import { catalogueOf } from "../MessageCatalogue.ts"
import { wantsPage } from "../PagePreference.ts"
import { homePage } from "./HomePage.ts"
import { textsOf } from "./Texts.ts"

/** `GET /` for browsers: the home page, or on the host of an app a redirect to its login page. 404 for everyone else. */
export const HomeRoute = ({ mailbox }: { readonly mailbox: boolean }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const apps = yield* ConnectedApps
      const domains = yield* LoginDomains

      const home = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const notFound = new HttpServerError.HttpServerError({
          reason: new HttpServerError.RouteNotFound({ request })
        })
        if (!wantsPage(request.headers["accept"])) return yield* notFound
        const context = yield* CurrentRequestContext
        context.route = "/"
        const host = request.headers["host"] ?? ""
        if (domains.subdomainIn(host) !== undefined) {
          yield* Effect.mapError(apps.atHost(host), () => notFound)
          return HttpServerResponse.redirect(appPagePath("login"), { headers: { vary: "accept" } })
        }
        const own = isLocalRequest(Option.getOrUndefined(request.peerAddress), request.headers)
        return homePage(textsOf(catalogueOf(context).language), { own, mailbox })
      })

      yield* router.add("GET", "/", home)
    })
  )
