import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { CurrentApp } from "#domain/ConnectedApp"
import type { UserId } from "#domain/Ids"
import { LoginsOff } from "#domain/Login"
import type { CurrentRealm } from "#domain/Realm"
import { checkState, RedirectRefused } from "#domain/ReturnUrl"
import type { SessionNotFound } from "#domain/Session"
import { forgettingSession, keepingKnown, keepingSession, sessionIn } from "./cookies/SessionCookie.ts"
import type { Door } from "./Door.ts"
import { type AppPageWord, appPageOf, MethodNotAllowed } from "./Errors.ts"
import { type Filled, formOf, fromOurPage, queryOf, repeatedIn } from "./Form.ts"
import { type AppPage, carriedIn, type PageCall, shows, type Turn, wayBackOf } from "./HostedPage.ts"
import { address, type Carried } from "./markup/Fields.ts"
import { troubled } from "./markup/Notices.ts"
import { readerOf } from "./PageContext.ts"
import { answer, sent, unavailable } from "./PageResponse.ts"
import { accounts } from "./pages/accounts/AccountsPage.ts"
import { forgot } from "./pages/forgot/ForgotPage.ts"
import { invite } from "./pages/invitation/InvitationPage.ts"
import { login } from "./pages/login/LoginPage.ts"
import { logout } from "./pages/logout/LogoutPage.ts"
import { profile } from "./pages/profile/ProfilePage.ts"
import { reset } from "./pages/reset/ResetPage.ts"
import { signup } from "./pages/signup/SignupPage.ts"
import { verification } from "./pages/verify/VerifyPage.ts"
import { type AppCall, appCalls } from "./RequestShell.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The pages on the host of an app, by their paths (decision 40). */
export const appPagePaths = [
  "login",
  "signup",
  "logout",
  "forgot",
  "reset",
  "verify",
  "profile",
  "accounts",
  "invitation"
] as const

type Name = (typeof appPagePaths)[number]

/** What people can do while their realm is inactive (decision 19). */
const always: ReadonlySet<Name> = new Set(["logout", "verify"])

interface DoorWays {
  readonly counted: (call: AppCall) => Effect.Effect<void, AppPageWord>
  /** The user whose session the browser holds. */
  readonly holderOf: (call: AppCall) => Effect.Effect<UserId | undefined, never, CurrentRealm>
}

/** What the link of a mail leads to, on the host of an app. */
const ofDoor = (door: Door, { counted, holderOf }: DoorWays): AppPage => ({
  show: (call) =>
    Effect.flatMap(holderOf(call), (holder) =>
      Effect.map(door.show(call.visit, { token: call.query("token"), holder }, call.query), shows)
    ),
  act: (call, form) =>
    Effect.andThen(
      counted(call),
      Effect.flatMap(holderOf(call), (holder) =>
        Effect.map(door.act(call.visit, { token: form("token"), holder }, form), shows)
      )
    )
})

/** Hosted pages on the hosts of connected apps (decisions 40, 40a). */
export const AppPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { entered, within, counted } = yield* appCalls

    const browsers = yield* BrowserSessions
    const holderOf = (call: AppCall) =>
      browsers.find(call.app, sessionIn(call.request, call.origin)).pipe(
        Effect.map(({ user }): UserId | undefined => user.id),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(undefined))
      )
    const ways: DoorWays = { counted, holderOf }

    const pages: Readonly<Record<Name, AppPage>> = {
      login: yield* login,
      signup: yield* signup,
      logout: yield* logout,
      forgot: yield* forgot,
      reset: ofDoor(yield* reset, ways),
      verify: ofDoor(yield* verification, ways),
      profile: yield* profile,
      accounts: yield* accounts,
      invitation: yield* invite
    }

    /** Whoever has to be logged in for a page comes back to it afterwards. */
    const loginFirst = (name: Name, carried: Carried): Turn => ({
      to: address("login", { ...carried, next: name }),
      keeps: "none"
    })

    /** The call of a page with what goes along, as an address or a form says it. */
    const along = Effect.fnUntraced(function* (call: AppCall, said: Filled) {
      const carried = carriedIn(said)
      const refusal = checkState(wayBackOf(carried).state)
      if (refusal !== undefined) return yield* refusal
      return { ...call, query: queryOf(call.request), visit: { ...call.visit, carried } }
    })

    const done = <E, R>(name: Name, { visit }: PageCall, turn: Effect.Effect<Turn, E | SessionNotFound, R>) =>
      Effect.catchTag(turn, "SessionNotFound", () => Effect.succeed(loginFirst(name, visit.carried ?? {})))

    const turned = Effect.fnUntraced(function* (name: Name, call: AppCall) {
      const { request, origin, visit } = call
      const page = pages[name]
      if (visit.realm.state === "inactive" && !always.has(name)) return yield* new LoginsOff({ why: "realm_inactive" })
      if (request.method === "GET" || request.method === "HEAD") {
        // What two parties may read differently says nothing (SEC-33).
        if (repeatedIn(request, "redirect_uri")) return yield* new RedirectRefused({ why: "redirect_refused" })
        if (repeatedIn(request, "state")) return yield* new RedirectRefused({ why: "state_refused" })
        const seen = yield* along(call, queryOf(request))
        return yield* done(name, seen, page.show(seen))
      }
      if (request.method !== "POST") return yield* new MethodNotAllowed()
      yield* fromOurPage(request, origin)
      const form = yield* formOf(request)
      const sent = yield* along(call, form)
      return yield* done(name, sent, page.act(sent, form))
    })

    const answered = ({ visit, origin }: AppCall, turn: Turn): HttpServerResponse.HttpServerResponse => {
      const response = "page" in turn ? answer(visit, turn.page) : sent(turn.to, 303)
      if (turn.remembers !== undefined) return keepingKnown(origin, turn.remembers)(response)
      if (turn.keeps === undefined) return response
      return (turn.keeps === "none" ? forgettingSession(origin) : keepingSession(origin, turn.keeps))(response)
    }

    const visited = (name: Name) => (request: Request) => {
      const nobody = readerOf(request.headers["accept-language"], undefined)
      return Effect.gen(function* () {
        const call = yield* entered(request)
        const turn = yield* within(call, turned(name, call)).pipe(
          Effect.provideService(CurrentApp, call.app.id),
          Effect.catch((word) => Effect.succeed(shows(appPageOf(call.visit, name, word))))
        )
        return answered(call, turn)
      }).pipe(
        Effect.catch(() => Effect.succeed(answer(nobody, troubled(nobody.texts, "no_app", 404)))),
        Effect.catchCause((cause) => unavailable(nobody, cause))
      )
    }

    for (const name of appPagePaths) yield* router.add("*", `/${name}`, visited(name))
  })
)
