import { Effect, identity } from "effect"
import { BrowserSessions, type ProvedUser } from "#core/sessions/BrowserSessions"
import type { CurrentRealm } from "#domain/Realm"
import type { LoginStale } from "#domain/Reauthentication"
import { SessionNotFound } from "#domain/Session"
import { VisitorLanguage } from "#domain/VisitorLanguage"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { type AppPageFailure, type FormFailure, formRefusalOf, refusedView } from "../../Errors.ts"
import { pageUrl } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, redirectTo, showView } from "../../HostedPage.ts"
import type { View } from "../../markup/Document.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import { rateLimiter } from "../../RateLimit.ts"
import type { AppRequest } from "../../RequestShell.ts"

/** The pages on which users see and change their own accounts. */
export type AccountPageName = "profile" | "security" | "team"

/** What a form of an account page does. */
export type AccountAction = (
  request: AppRequest,
  browserUser: ProvedUser,
  form: FormValues
) => Effect.Effect<PageResult, AppPageFailure | FormFailure | LoginStale, CurrentRealm>

/** A form that was refused: its `way`, what was typed into it, and its errors. */
export interface RefusedForm {
  readonly way: string
  readonly form: FormValues
  readonly errors: FieldErrors
}

interface AccountPageParts {
  readonly name: AccountPageName
  /** What the forms do, by their `way`. */
  readonly actions: Readonly<Record<string, AccountAction>>
  /** The forms that count against the limits themselves, because not each of their uses does. */
  readonly uncounted?: ReadonlySet<string>
  readonly view: (
    request: AppRequest,
    browserUser: ProvedUser,
    refused: RefusedForm | undefined
  ) => Effect.Effect<View, never, CurrentRealm>
}

/** The user was deleted or deactivated meanwhile. */
export const userGone = () => Effect.fail(new SessionNotFound({ id: "" }))

/** Redirects to the page, which tells what was saved: to reload it does nothing twice. */
export const savedOn =
  (page: AccountPageName) =>
  (request: AppRequest, change: string): PageResult =>
    redirectTo(request, page, { saved: change })

/** A page of users who are logged in, about their own accounts. A change that needs a recent login leads to one (SEC-90). */
export const accountPage = Effect.fnUntraced(function* ({
  name,
  actions,
  uncounted = new Set(),
  view
}: AccountPageParts) {
  const rateLimit = yield* rateLimiter
  const browsers = yield* BrowserSessions
  const byWay = new Map(Object.entries(actions))

  /** Redirects to the login, which leads back here. */
  const reauthenticate = ({ context }: AppRequest): PageResult => ({
    redirect: pageUrl("login", { ...context.flow, next: name }, { way: "login", why: "proof" })
  })

  const page: AppPage = {
    show: Effect.fn("Account.show")(function* (request) {
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      return showView(yield* view(request, browserUser, undefined))
    }),
    submit: Effect.fn("Account.submit")(function* (request, form) {
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      const way = form("way")
      const action = byWay.get(way)
      if (action === undefined) return redirectTo(request, name)
      if (!uncounted.has(way)) yield* rateLimit(request)
      return yield* action(request, browserUser, form).pipe(
        // Who has a language gets mails in it, whatever that of the page is.
        browserUser.user.locale === null ? identity : Effect.provideService(VisitorLanguage, null),
        Effect.catchTag("LoginStale", () => Effect.succeed(reauthenticate(request))),
        Effect.catchTag(["Rejected", "HashingBusy", "WrongCode", "WrongPassword", "Blocked"], (failure) => {
          const refusal = formRefusalOf(request.context, failure)
          const refused = { way, form, errors: refusal.errors }
          return Effect.map(view(request, browserUser, refused), (view) => showView(refusedView(refusal, view)))
        })
      )
    })
  }
  return page
})
