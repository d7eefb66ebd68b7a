import { Effect, identity } from "effect"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import type { CurrentRealm } from "#domain/Realm"
import type { LoginStale } from "#domain/Reauthentication"
import { SessionNotFound } from "#domain/Session"
import { VisitorLanguage } from "#domain/VisitorLanguage"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { type AppPageFailure, type FormFailure, formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { pageUrl } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, redirectTo, showView } from "../../HostedPage.ts"
import type { View } from "../../markup/Document.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import { rateLimiter } from "../../RateLimit.ts"
import type { AppRequest } from "../../RequestShell.ts"

/** The pages of a user's own account. */
export type AccountPageName = "profile" | "security" | "team"

/** Handles a form of an account page. */
export type AccountAction = (
  request: AppRequest,
  browserUser: LoggedInVisitor,
  form: FormValues
) => Effect.Effect<PageResult, AppPageFailure | FormFailure | LoginStale, CurrentRealm>

/** A rejected form, with its `way` (the form's name), its values and its errors. */
export interface RejectedForm {
  readonly way: string
  readonly form: FormValues
  readonly errors: FieldErrors
}

interface AccountPageParts {
  readonly name: AccountPageName
  /** The handlers of the forms, keyed by `way`. */
  readonly actions: Readonly<Record<string, AccountAction>>
  /** The forms that apply the rate limits themselves, because only some of their submissions count. */
  readonly uncounted?: ReadonlySet<string>
  readonly view: (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    refused: RejectedForm | undefined
  ) => Effect.Effect<View, never, CurrentRealm>
}

/** The failure if the user has been deleted or deactivated in the meantime. */
export const userGone = () => Effect.fail(new SessionNotFound({ id: "" }))

/** Redirects to the given page, which then confirms the saved change. Reloading that page does not submit the form again. */
export const redirectToSavedOn =
  (page: AccountPageName) =>
  (request: AppRequest, change: string): PageResult =>
    redirectTo(request, page, { saved: change })

/** Builds a page of a logged-in user's own account. A change that requires a recent login redirects to the login (SEC-90). */
export const accountPage = Effect.fnUntraced(function* ({
  name,
  actions,
  uncounted = new Set(),
  view
}: AccountPageParts) {
  const rateLimit = yield* rateLimiter
  const browsers = yield* BrowserSessions
  const byWay = new Map(Object.entries(actions))

  /** Redirects to the login, which returns to this page. */
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
        // Users with a stored language get emails in that language, regardless of the language of the page.
        browserUser.user.locale === null ? identity : Effect.provideService(VisitorLanguage, null),
        Effect.catchTag("LoginStale", () => Effect.succeed(reauthenticate(request))),
        Effect.catchTag(["Rejected", "HashingBusy", "WrongCode", "WrongPassword", "Blocked"], (failure) => {
          const refusal = formRefusalOf(request.context, failure)
          const refused = { way, form, errors: refusal.errors }
          return Effect.map(view(request, browserUser, refused), (view) => showView(withRefusalStatus(refusal, view)))
        })
      )
    })
  }
  return page
})
