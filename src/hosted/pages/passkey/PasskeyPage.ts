import { Effect } from "effect"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { declinedPasskeys } from "../../cookies/PasskeyOfferCookie.ts"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { formRefusal, formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { type FlowParams, flowParamsIn, pageUrl, returnTargetOf } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { afterLogin } from "../../flow/AfterLogin.ts"
import { creationIn } from "../../flow/PasskeyAnswer.ts"
import { type AppPage, type PageResult, queryOf, redirectTo, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import { rateLimiter } from "../../RateLimit.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { passkeyView } from "./PasskeyView.ts"

/** Redirects to the login, which returns to this page, because creating a passkey requires a recent login (SEC-121). */
const reauthenticate = (flow: FlowParams): PageResult => ({
  redirect: pageUrl("login", { ...flow, next: "passkey" }, { way: "login", why: "proof" })
})

/** `/passkey` lets a user create a passkey, on request or as an offer after a login (C138). */
export const passkeyPage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const passkeys = yield* AccountPasskeys
  const logins = yield* PasswordLoginFlow
  const rateLimit = yield* rateLimiter
  const { resume } = yield* afterLogin

  const isOffer = (values: FormValues): boolean => values("offer") === "1"

  /** The page with a new challenge, which is bound to the user of this browser (SEC-120). */
  const viewOf = Effect.fnUntraced(function* (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    values: FormValues,
    refusal?: ReturnType<typeof formRefusalOf>
  ) {
    const { context, origin } = request
    const flow = flowParamsIn(values)
    const begun = yield* passkeys.begin(browserUser, origin).pipe(
      Effect.map((options) => ({ options, errors: refusal?.errors ?? [] })),
      Effect.catchTag("Rejected", (failure) =>
        Effect.succeed({ options: undefined, errors: formRefusalOf(context, failure).errors })
      )
    )
    const returnUrl = isOffer(values) ? yield* logins.returnUrlOf(request.app, returnTargetOf(flow), false) : null
    const state = { flow, isOffer: isOffer(values), options: begun.options, name: values("passkey_name") }
    const view = withRedirectTarget(returnUrl, passkeyView(context, state, begun.errors))
    return showView(refusal === undefined ? view : withRefusalStatus(refusal, view))
  })

  const create = Effect.fnUntraced(function* (request: AppRequest, browserUser: LoggedInVisitor, form: FormValues) {
    yield* rateLimit(request)
    const { texts } = request.context
    const creation = creationIn(form("response"))
    const isConditional = isOffer(form) && form("conditional") === "1"
    const added = {
      token: form("token"),
      creation: creation && { ...creation, isConditional },
      name: form("passkey_name")
    }
    return yield* passkeys.add(browserUser, added).pipe(
      Effect.andThen(
        isOffer(form)
          ? resume(request, browserUser, flowParamsIn(form))
          : Effect.succeed(redirectTo(request, "security", { saved: "passkey" }))
      ),
      Effect.catchTag("Rejected", (failure) => {
        const isLapsed = failure.problems.some(({ code }) => code === "token_unusable")
        const refusal = isLapsed ? formRefusal(texts.passkeys.lapsed) : formRefusalOf(request.context, failure)
        return viewOf(request, browserUser, form, refusal)
      })
    )
  })

  const page: AppPage = {
    show: Effect.fn("Passkey.show")(function* (request) {
      const values = queryOf(request)
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      return yield* Effect.catchTag(viewOf(request, browserUser, values), "LoginStale", () =>
        Effect.succeed(reauthenticate(flowParamsIn(values)))
      )
    }),
    submit: Effect.fn("Passkey.submit")(function* (request, form) {
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      const flow = flowParamsIn(form)
      if (form("way") === "skip") {
        const next = yield* resume(request, browserUser, flow)
        return { ...next, declinedPasskeys: declinedPasskeys(request, browserUser.user.id) }
      }
      return yield* Effect.catchTag(create(request, browserUser, form), "LoginStale", () =>
        Effect.succeed(reauthenticate(flow))
      )
    })
  }
  return page
})
