import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type BrowserStart, type CodeDue, type Entered, SocialLoginFlow } from "#core/hosted/SocialLoginFlow"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { StateNotFound } from "#domain/ExternalLogin"
import type { CurrentRealm } from "#domain/Realm"
import { RedirectRefused, resolveReturnUrl, returnPageOf } from "#domain/ReturnUrl"
import { presence } from "#domain/Text"
import { keeping, keptBy } from "../../cookies/OAuthStateCookie.ts"
import { keepingSession, sessionIn } from "../../cookies/SessionCookie.ts"
import { MethodNotAllowed, refusalOf, refused, type SocialWord, socialPageOf } from "../../Errors.ts"
import { type Filled, formOf, fromOurPage, queryOf, repeatedIn } from "../../Form.ts"
import { carriedIn, wayBackOf } from "../../HostedPage.ts"
import { address, type FieldError } from "../../markup/Fields.ts"
import { readerOf } from "../../PageContext.ts"
import { answer, sent, unavailable } from "../../PageResponse.ts"
import { type AppCall, appCalls } from "../../RequestShell.ts"
import { carriedBy, codePage, joinPage } from "./SocialView.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A request for a login at a provider, on the host of an app. */
interface Call extends AppCall {
  /** The provider as the path names it. */
  readonly name: string
}

type Step = (call: Call) => Effect.Effect<HttpServerResponse.HttpServerResponse, SocialWord, CurrentRealm>

/** What a provider sends back. */
const parameters = ["state", "code", "error", "iss"]

const reads = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

/** Where a login can be begun once more. */
const startOf = (name: string): string => `/auth/${encodeURIComponent(name)}`

/** Logins at providers elsewhere, begun and ended in a browser on the host of an app (api-v1 section 4, "Start social login"). */
export const SocialRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { entered, within, counted } = yield* appCalls
    const logins = yield* SocialLoginFlow
    const browsers = yield* BrowserSessions

    const wayOn = (begun: BrowserStart, url: string) =>
      begun.ownPage === null ? url : `/${address(begun.ownPage, carriedBy(begun))}`

    /**
     * The way to the app, or to a page of ours, with a session that the browser keeps here too; or, where the invitation was
     * sent to somebody else, the question whether to accept it.
     */
    const handed = Effect.fnUntraced(function* (call: Call, entered: Entered) {
      const { request, visit, app, origin } = call
      const { session } = entered
      const keeping = keepingSession(origin, yield* browsers.keep(app, session, sessionIn(request, origin)))
      if (entered._tag === "LoggedIn") return keeping(sent(wayOn(entered.begun, entered.url), 302))
      const { due, user } = entered
      const asked = { due, user, about: yield* logins.seen(due) }
      const place = resolveReturnUrl(app, due, due.isNew)
      return keeping(answer(visit, joinPage(visit, asked, place instanceof RedirectRefused ? undefined : place)))
    })

    const start: Step = Effect.fnUntraced(function* (call) {
      const { request, app, origin, name } = call
      if (!reads(request)) return yield* new MethodNotAllowed()
      yield* counted(call)
      const query = queryOf(request)
      if (repeatedIn(request, "redirect_uri")) return yield* new RedirectRefused({ why: "redirect_refused" })
      if (repeatedIn(request, "state")) return yield* new RedirectRefused({ why: "state_refused" })
      const asked = {
        ...wayBackOf(carriedIn(query)),
        ownPage: returnPageOf(query("next")),
        invitation: presence(query("invitation")) ?? undefined
      }
      const { url, kept } = yield* logins.start(app, name, asked)
      return keeping(origin, [...keptBy(request, origin), kept])(sent(url, 302))
    })

    const codeForm = ({ visit, app }: Call, due: CodeDue, errors?: ReadonlyArray<FieldError>) => {
      const place = resolveReturnUrl(app, due, false)
      return codePage(visit.texts, due, place instanceof RedirectRefused ? undefined : place, errors)
    }

    const finished = Effect.fnUntraced(function* (call: Call, query: Filled) {
      const { request, visit, app, origin, name } = call
      const mine = keptBy(request, origin)
      const issuer = presence(query("iss"))
      const back = { state: query("state"), code: query("code"), error: query("error"), issuer, kept: mine }
      // A refused code leaves its state good: who tries again asks the provider again.
      yield* counted(call)
      const outcome = yield* logins.finish(app, name, back)
      const forgetting = keeping(
        origin,
        mine.filter((one) => one !== outcome.kept)
      )
      if (outcome._tag === "CodeDue") return forgetting(answer(visit, codeForm(call, outcome.due)))
      return forgetting(yield* handed(call, outcome))
    })

    /** A provider may post what it sends back: cookies come only with the address that this leads to. */
    const callback: Step = Effect.fnUntraced(function* (call) {
      const { request, name } = call
      if (reads(request)) return yield* finished(call, queryOf(request))
      if (request.method !== "POST") return yield* new MethodNotAllowed()
      const form = yield* formOf(request)
      const query = new URLSearchParams(Object.fromEntries(parameters.map((one) => [one, form(one)])))
      return sent(`${startOf(name)}/callback?${query}`, 303)
    })

    const code: Step = Effect.fnUntraced(function* (call) {
      const { request, visit, app, origin } = call
      if (request.method !== "POST") return yield* new MethodNotAllowed()
      yield* fromOurPage(request, origin)
      yield* counted(call)
      const form = yield* formOf(request)
      const due: CodeDue = {
        login: form("login"),
        ...wayBackOf(carriedIn(form)),
        ownPage: returnPageOf(form("next")),
        invitation: presence(form("invitation")) ?? undefined,
        isInvited: form("invited") === "true"
      }
      return yield* logins.complete(app, due, form("code").trim()).pipe(
        Effect.flatMap((entered) => handed(call, entered)),
        Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (word) =>
          Effect.succeed(
            answer(
              visit,
              refused(refusalOf(visit, word), (errors) => codeForm(call, due, errors))
            )
          )
        )
      )
    })

    /** What was answered about an invitation of somebody else's: only now may anything be joined (SEC-92). */
    const join: Step = Effect.fnUntraced(function* (call) {
      const { request, app, origin } = call
      if (request.method !== "POST") return yield* new MethodNotAllowed()
      yield* fromOurPage(request, origin)
      yield* counted(call)
      const form = yield* formOf(request)
      const due = {
        ...wayBackOf(carriedIn(form)),
        ownPage: returnPageOf(form("next")),
        invitation: form("invitation"),
        isNew: form("signup") === "true"
      }
      const who = yield* Effect.catchTag(browsers.find(app, sessionIn(request, origin)), "SessionNotFound", () =>
        Effect.fail(new StateNotFound())
      )
      // Somebody else has logged in meanwhile: they were not asked.
      if (form("user") !== who.user.id) return yield* new StateNotFound()
      const { url } = yield* logins.join(app, who, due, form("way") === "join")
      return sent(wayOn(due, url), 303)
    })

    const steps = [
      { path: "/auth/:provider", methods: "GET, HEAD", step: start },
      { path: "/auth/:provider/callback", methods: "GET, HEAD, POST", step: callback },
      { path: "/auth/:provider/code", methods: "POST", step: code },
      { path: "/auth/:provider/join", methods: "POST", step: join }
    ] as const

    const visited = (request: Request, methods: string, step: Step) => {
      const accepts = request.headers["accept-language"]
      const nobody = readerOf(accepts, undefined)
      return Effect.gen(function* () {
        const { provider: name = "" } = yield* HttpRouter.params
        const call = { ...(yield* entered(request)), name }
        const { visit } = call
        return yield* within(call, step(call)).pipe(
          Effect.catch((word) =>
            Effect.succeed(answer(visit, { ...socialPageOf(visit, startOf(name), word), allow: methods }))
          )
        )
      }).pipe(
        Effect.catch((word) => Effect.succeed(answer(nobody, socialPageOf(nobody, undefined, word)))),
        Effect.catchCause((cause) => unavailable(nobody, cause))
      )
    }

    for (const { path, methods, step } of steps) {
      yield* router.add("*", path, (request) => visited(request, methods, step))
    }
  })
)
