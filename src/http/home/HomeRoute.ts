import { Effect, Option } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { LoginDomains } from "#platform/LoginDomains"
import { isLocalRequest } from "../LocalRequest.ts"
import { CurrentRequestContext, catalogueOf } from "../RequestContext.ts"
import { homePage } from "./HomePage.ts"
import { wordsOf } from "./Words.ts"

/** How much an `Accept` header likes a type that it names; nothing where it does not. */
const likes = (header: string, type: string): number => {
  for (const part of header.slice(0, 1_000).toLowerCase().split(",")) {
    const [name, ...params] = part.split(";").map((text) => text.trim())
    if (name === type) return Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1)
  }
  return 0
}

/** Whether a caller would rather read a page than JSON: only browsers name `text/html`. */
export const wantsPage = (accept: string | undefined): boolean => {
  const liked = likes(accept ?? "", "text/html")
  return liked > 0 && liked >= likes(accept ?? "", "application/json")
}

/** `GET /`, for browsers: where things are; on the host of an app its login page. Nothing is there for anyone else. */
export const HomeRoute = ({ mailbox }: { readonly mailbox: boolean }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const apps = yield* ConnectedApps
      const domains = yield* LoginDomains

      const home = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const nothing = new HttpServerError.HttpServerError({
          reason: new HttpServerError.RouteNotFound({ request })
        })
        if (!wantsPage(request.headers["accept"])) return yield* nothing
        const context = yield* CurrentRequestContext
        context.route = "/"
        const host = request.headers["host"] ?? ""
        if (domains.subdomainIn(host) !== undefined) {
          yield* Effect.mapError(apps.atHost(host), () => nothing)
          return HttpServerResponse.redirect("/login", { headers: { vary: "accept" } })
        }
        const own = isLocalRequest(Option.getOrUndefined(request.peerAddress), request.headers)
        return homePage(wordsOf(catalogueOf(context).language), { own, mailbox })
      })

      yield* router.add("GET", "/", home)
    })
  )
