import { Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { Signups } from "#core/hosted/Signups"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { problem, Rejected } from "#domain/Rejected"
import { RedirectRefused } from "#domain/ReturnUrl"
import { askedBy, type SignupForm, signupWay } from "#domain/Signup"
import { presence } from "#domain/Text"
import { haveUsernames } from "#domain/User"
import { sessionIn } from "../../cookies/SessionCookie.ts"
import { refusalOf, refused } from "../../Errors.ts"
import type { Filled } from "../../Form.ts"
import {
  type AppPage,
  carriedIn,
  type Errors,
  leadingTo,
  type PageCall,
  shows,
  type Turn,
  wayBackOf
} from "../../HostedPage.ts"
import { address, type Carried } from "../../markup/Fields.ts"
import { sentPage } from "../../markup/MailSentView.ts"
import { appCalls } from "../../RequestShell.ts"
import { offers } from "../login/LoginPage.ts"
import { preverifyPage, requestPage, signupClosedPage, signupPage } from "./SignupView.ts"

const blankForm: Filled = () => ""

/** `/signup`: makes an account, asks for a mail that leads to one, or asks to be invited (decisions 40a, 41). */
export const signup = Effect.gen(function* () {
  const { counted } = yield* appCalls
  const signups = yield* Signups
  const logins = yield* PasswordLoginFlow
  const browsers = yield* BrowserSessions
  const offered = yield* offers

  const wayOf = ({ visit, app }: PageCall) => signupWay(visit.realm, app)

  const account = Effect.fnUntraced(function* (call: PageCall, carried: Carried, form: Filled, errors?: Errors) {
    const { visit, app } = call
    const place = yield* logins.placeOf(app, wayBackOf(carried), true)
    const { providers } = yield* offered(call)
    const offer = {
      carried,
      values: {
        username: form("username"),
        email: form("email"),
        first_name: form("first_name"),
        last_name: form("last_name"),
        org_name: form("org_name")
      },
      usernames: haveUsernames(visit.realm, "human"),
      demands: yield* signups.demands,
      confirmation: app.requirePasswordConfirmation,
      ...askedBy(app),
      providers
    } as const
    return leadingTo(place, signupPage(visit, offer, errors))
  })

  const shown = Effect.fnUntraced(function* (call: PageCall, carried: Carried, form: Filled, errors?: Errors) {
    const { visit } = call
    const way = wayOf(call)
    if (way === "none") return signupClosedPage(visit, carried)
    const address = { carried, values: { email: form("email") } }
    if (way === "request") return requestPage(visit, address, errors)
    return way === "preverify" ? preverifyPage(visit, address, errors) : yield* account(call, carried, form, errors)
  })

  const signupForm = (call: PageCall, form: Filled): SignupForm => ({
    username: form("username"),
    email: form("email"),
    emailConfirmation: undefined,
    password: form("password"),
    passwordConfirmation: call.app.requirePasswordConfirmation ? form("password_confirmation") : undefined,
    firstName: form("first_name"),
    lastName: form("last_name"),
    orgName: form("org_name")
  })

  const signUp = Effect.fnUntraced(function* (call: PageCall, form: Filled, carried: Carried) {
    // People need it to get in again, whatever the realm asks of other callers.
    if (presence(form("email")) === null) return yield* new Rejected({ problems: [problem("email", "blank")] })
    const outcome = yield* signups.signUp(call.app, signupForm(call, form), wayBackOf(carried))
    if (outcome._tag === "Mailed") {
      return shows(sentPage(call.visit, { carried, kind: "preverify", to: outcome.email }))
    }
    if (outcome._tag === "Token") {
      const turn: Turn = { to: outcome.url ?? (yield* new RedirectRefused({ why: "handler_missing" })) }
      return turn
    }
    const keeps = yield* browsers.keep(call.app, outcome.login.session, sessionIn(call.request, call.origin))
    const { next, ...along } = carried
    const turn: Turn = {
      to: next === undefined ? (outcome.url ?? address("profile", along)) : address(next, along),
      keeps
    }
    return turn
  })

  const request = Effect.fnUntraced(function* (call: PageCall, form: Filled, carried: Carried) {
    yield* signups.request(form("email"))
    return shows(sentPage(call.visit, { carried, kind: "request", to: form("email").trim() }))
  })

  const page: AppPage = {
    show: (call) => {
      const carried = carriedIn(call.query)
      return Effect.map(shown(call, carried, blankForm), shows)
    },
    act: Effect.fn("Signup.act")(function* (call, form) {
      const carried = carriedIn(form)
      yield* counted(call)
      const done = wayOf(call) === "request" ? request : signUp
      return yield* done(call, form, carried).pipe(
        Effect.catchTag(["Rejected", "HashingBusy"], (word) => {
          const refusal = refusalOf(call.visit, word)
          return Effect.map(shown(call, carried, form, refusal.errors), (again) => shows(refused(refusal, () => again)))
        }),
        Effect.catchTag("SignupClosed", () => Effect.map(shown(call, carried, form), shows))
      )
    })
  }
  return page
})
