import { Effect } from "effect"
import { EmailConfirmations } from "#core/login/EmailConfirmations"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import type { UserId } from "#domain/Ids"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { type FormRefusal, formRefusal, formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { type LinkPage, queryOf, showView } from "../../HostedPage.ts"
import type { RealmPageContext } from "../../PageContext.ts"
import type { HostedRequest } from "../../RequestShell.ts"
import { possessionView, suggestResetView, verifiedView, verifyView } from "./VerifyView.ts"

/** The token of the link, and the user who is logged in in the browser. */
interface Visitor {
  readonly context: RealmPageContext
  readonly token: string
  readonly loggedIn: UserId | undefined
}

/** `…/verify` verifies a user's current or pending email. */
export const verifyPage = Effect.gen(function* () {
  const confirmations = yield* EmailConfirmations
  const browsers = yield* BrowserSessions

  /** Returns the visitor of the page. On the pages of a realm, nobody is logged in. */
  const visitorOf = Effect.fnUntraced(function* (request: HostedRequest, token: string) {
    const { context } = request
    const loggedIn =
      context.app === undefined
        ? undefined
        : yield* browsers.find(context.app, sessionSecretIn(request)).pipe(
            Effect.map(({ user }): UserId | undefined => user.id),
            Effect.catchTag("SessionNotFound", () => Effect.succeed(undefined))
          )
    const visitor: Visitor = { context, token, loggedIn }
    return visitor
  })

  const viewOf = Effect.fnUntraced(function* ({ context, token, loggedIn }: Visitor, errors?: FormRefusal["errors"]) {
    const { email, offer } = yield* confirmations.preview(token, loggedIn)
    return offer === undefined
      ? verifyView(context, token, email, errors)
      : possessionView(context, { token, email, offer }, errors)
  })

  const retry = (visitor: Visitor, refusal: FormRefusal) =>
    Effect.map(viewOf(visitor, refusal.errors), (view) => withRefusalStatus(refusal, view))

  const confirm = Effect.fn("Verification.confirm")(function* (visitor: Visitor, password: string) {
    const { context, token, loggedIn } = visitor
    const { verify } = context.texts
    const { email } = yield* confirmations.preview(token, loggedIn)
    return yield* confirmations.confirm(token, { holder: loggedIn, password }).pipe(
      Effect.map(({ id }) => verifiedView(context, email, id === loggedIn)),
      Effect.catchTags({
        WrongPassword: () => retry(visitor, formRefusal(verify.wrongPassword, "password")),
        PossessionUnproved: () => retry(visitor, formRefusal(verify.unproved)),
        Rejected: (failure) => retry(visitor, formRefusalOf(context, failure)),
        Blocked: (failure) => retry(visitor, formRefusalOf(context, failure)),
        HashingBusy: (failure) => retry(visitor, formRefusalOf(context, failure))
      })
    )
  })

  const page: LinkPage = {
    show: Effect.fnUntraced(function* (request) {
      return showView(yield* viewOf(yield* visitorOf(request, queryOf(request)("token"))))
    }),
    submit: Effect.fnUntraced(function* (request, form) {
      const token = form("token")
      if (form("way") === "reset") {
        const { email } = yield* confirmations.resetInstead(token)
        return showView(suggestResetView(request.context, email))
      }
      return showView(yield* confirm(yield* visitorOf(request, token), form("password")))
    })
  }
  return page
})
