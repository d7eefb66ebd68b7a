import { Effect } from "effect"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { appCalls } from "./AppCalls.ts"
import { type AppPage, carriedIn, complaint, shows } from "./AppPage.ts"
import { refused } from "./Errors.ts"
import { forgotPage } from "./pages/Forgot.ts"
import { sentPage } from "./pages/Sent.ts"

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
