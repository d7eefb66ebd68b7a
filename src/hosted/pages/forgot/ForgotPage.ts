import { Effect } from "effect"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { missingNameRefusal, withRefusalStatus } from "../../Errors.ts"
import { flowParamsIn } from "../../FlowParams.ts"
import { type AppPage, queryOf, showView } from "../../HostedPage.ts"
import { emailSentView } from "../../markup/EmailSentView.ts"
import { rateLimiter } from "../../RateLimit.ts"
import { forgotView } from "./ForgotView.ts"

/** `/forgot` sends an email for resetting a password, without revealing whether the account exists (SEC-15). */
export const forgotPage = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const mails = yield* SelfServiceMails
  const page: AppPage = {
    show: (request) => {
      const offer = { flow: flowParamsIn(queryOf(request)), name: "" }
      return Effect.succeed(showView(forgotView(request.context, offer)))
    },
    submit: Effect.fn("Forgot.submit")(function* (request, form) {
      const { context } = request
      const name = form("name").trim()
      const flow = flowParamsIn(form)
      if (name === "") {
        const missing = missingNameRefusal(context)
        return showView(withRefusalStatus(missing, forgotView(context, { flow, name }, missing.errors)))
      }
      yield* rateLimit(request)
      yield* mails.forgotPassword(name)
      return showView(emailSentView(context, { flow, kind: "forgot", to: name }))
    })
  }
  return page
})
