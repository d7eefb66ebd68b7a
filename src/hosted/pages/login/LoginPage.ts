import { Effect } from "effect"
import { AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { type HandedOver, PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { AuthProviders } from "#core/realms/AuthProviders"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { AccountSettings } from "#core/users/AccountSettings"
import { signupWay } from "#domain/Signup"
import { sessionIn } from "../../cookies/SessionCookie.ts"
import { refusalOf, refused } from "../../Errors.ts"
import type { Filled } from "../../Form.ts"
import {
  type AppPage,
  carriedIn,
  complaint,
  type Errors,
  leadingTo,
  type PageCall,
  shows,
  type Turn,
  wayBackOf
} from "../../HostedPage.ts"
import { address, type Carried } from "../../markup/Fields.ts"
import { codePage } from "../../markup/MfaCodeView.ts"
import { type AppCall, appCalls } from "../../RequestShell.ts"
import { continuePage, loginPage } from "./LoginView.ts"

/** What a login page offers besides the form: the same for everybody. */
export const offers = Effect.gen(function* () {
  const urls = yield* AuthorizationUrls
  const builtIn = yield* AuthProviders
  return ({ visit: { realm }, app }: AppCall) =>
    Effect.gen(function* () {
      const providers = yield* urls.providers
      const passwords = yield* Effect.orDie(builtIn.get("password"))
      const way = signupWay(realm, app)
      const signUp = way === "none" || way === "request" ? way : ("signup" as const)
      return {
        passwords: passwords.state === "active",
        providers: providers.map(({ id, providerType, name }) => ({ id, providerType, name })),
        signUp
      }
    })
})

/** Where a login leads on: to another of our pages, to the choice of an org, to the app; or to the own account. */
const onward = ({ visit: { realm } }: AppCall, carried: Carried, url: string | null, orgs: number): string => {
  const { next, ...along } = carried
  if (next !== undefined) return address(next, along)
  return realm.orgMode === "multi_user" && orgs > 1 ? address("accounts", along) : (url ?? address("profile", along))
}

/** `/login`: by password and code; or on with who is logged in already. */
export const login = Effect.gen(function* () {
  const { counted } = yield* appCalls
  const logins = yield* PasswordLoginFlow
  const browsers = yield* BrowserSessions
  const own = yield* AccountSettings
  const offered = yield* offers

  const asked = (call: PageCall, carried: Carried) => ({
    ...wayBackOf(carried),
    memberships: call.visit.realm.orgMode === "multi_user"
  })

  const followed = Effect.fnUntraced(function* (call: PageCall, carried: Carried, handed: HandedOver) {
    const { login, url } = handed
    const orgs = login.memberships.filter(({ org }) => org !== null)
    const keeps = yield* browsers.keep(call.app, login.session, sessionIn(call.request, call.origin))
    const turn: Turn = { to: onward(call, carried, url, orgs.length), keeps }
    return turn
  })

  const begin = Effect.fnUntraced(function* (call: PageCall, carried: Carried, name: string, errors?: Errors) {
    const place = yield* logins.placeOf(call.app, wayBackOf(carried), false)
    const again = call.query("why") === "proof"
    return leadingTo(place, loginPage(call.visit, { ...(yield* offered(call)), carried, name, again }, errors))
  })

  const codeAsked = Effect.fnUntraced(function* (call: PageCall, carried: Carried, token: string, errors?: Errors) {
    const place = yield* logins.placeOf(call.app, wayBackOf(carried), false)
    return leadingTo(place, codePage(call.visit, { page: "login", carried, login: token, again: "login" }, errors))
  })

  const byPassword = Effect.fnUntraced(function* (call: PageCall, form: Filled, carried: Carried) {
    const name = form("name")
    if (name.trim() === "") {
      const missing = complaint(call.visit.texts.form.nameMissing, "name")
      return shows({ ...(yield* begin(call, carried, name, missing.errors)), status: missing.status })
    }
    yield* counted(call)
    return yield* logins.logIn(call.app, { ...asked(call, carried), name, password: form("password") }).pipe(
      Effect.flatMap((outcome) =>
        outcome._tag === "CodeDue"
          ? Effect.map(codeAsked(call, carried, outcome.token), shows)
          : followed(call, carried, outcome)
      ),
      Effect.catchTag(["Rejected", "WrongPassword", "Blocked", "HashingBusy"], (word) => {
        const refusal = refusalOf(call.visit, word)
        return Effect.map(begin(call, carried, name, refusal.errors), (page) => shows(refused(refusal, () => page)))
      })
    )
  })

  const byCode = Effect.fnUntraced(function* (call: PageCall, form: Filled, carried: Carried) {
    yield* counted(call)
    const pending = { name: undefined, token: form("login"), code: form("code").trim() }
    return yield* logins.complete(call.app, { ...asked(call, carried), ...pending }).pipe(
      Effect.flatMap((handed) => followed(call, carried, handed)),
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (word) => {
        const refusal = refusalOf(call.visit, word)
        return Effect.map(codeAsked(call, carried, pending.token, refusal.errors), (page) =>
          shows(refused(refusal, () => page))
        )
      }),
      Effect.catchTag("TokenNotFound", () => {
        const lapsed = complaint(call.visit.texts.invitation.lapsed)
        return Effect.map(begin(call, carried, "", lapsed.errors), (page) => shows(refused(lapsed, () => page)))
      })
    )
  })

  const goOn = Effect.fnUntraced(function* (call: PageCall, _: Filled, carried: Carried) {
    const who = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
    const { url } = yield* logins.handOver(call.app, who, { ...wayBackOf(carried), orgId: undefined })
    const turn: Turn = { to: onward(call, carried, url, (yield* own.orgs(who.user)).length) }
    return turn
  })

  type Act = (call: PageCall, form: Filled, carried: Carried) => ReturnType<typeof byPassword | typeof goOn>

  const ways = new Map<string, Act>([
    ["code", byCode],
    ["continue", goOn]
  ])

  const page: AppPage = {
    show: Effect.fn("Login.show")(function* (call) {
      const carried = carriedIn(call.query)
      const secret = call.query("way") === "login" ? undefined : sessionIn(call.request, call.origin)
      const who = yield* Effect.catchTag(browsers.find(call.app, secret), "SessionNotFound", () =>
        Effect.succeed(undefined)
      )
      const place = yield* logins.placeOf(call.app, wayBackOf(carried), false)
      return shows(
        who === undefined
          ? yield* begin(call, carried, "")
          : leadingTo(place, continuePage(call.visit, { carried, name: who.user.name }))
      )
    }),
    act: Effect.fn("Login.act")(function* (call, form) {
      return yield* (ways.get(form("way")) ?? byPassword)(call, form, carriedIn(form))
    })
  }
  return page
})
