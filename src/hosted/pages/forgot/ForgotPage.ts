import { Effect } from "effect"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { refused } from "../../Errors.ts"
import { type AppPage, carriedIn, complaint, shows } from "../../HostedPage.ts"
import { sentPage } from "../../markup/MailSentView.ts"
import { appCalls } from "../../RequestShell.ts"
import { forgotPage } from "./ForgotView.ts"

/** `/forgot`: has a mail sent to whoever has forgotten the password, and tells nobody who has an account (SEC-15). */
export const forgot = Effect.gen(function* () {
  const { counted } = yield* appCalls
  const mails = yield* SelfServiceMails
  const page: AppPage = {
    show: (call) => Effect.succeed(shows(forgotPage(call.visit, { carried: carriedIn(call.query), name: "" }))),
    act: Effect.fn("Forgot.act")(function* (call, form) {
      const name = form("name").trim()
      const carried = carriedIn(form)
      if (name === "") {
        const missing = complaint(call.visit.texts.form.nameMissing, "name")
        return shows(refused(missing, (errors) => forgotPage(call.visit, { carried, name }, errors)))
      }
      yield* counted(call)
      yield* mails.forgotPassword(name)
      return shows(sentPage(call.visit, { carried, kind: "forgot", to: name }))
    })
  }
  return page
})
