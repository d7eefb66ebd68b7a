import { Effect } from "effect"
import { loggedInAt } from "#core/hosted/LoginReturn"
import { PasswordResets, type PendingReset } from "#core/login/PasswordResets"
import { withKnownProblems } from "#domain/KnownProblems"
import type { LoginOutcome } from "#domain/Login"
import { html } from "#platform/Html"
import { formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { newPasswordIn } from "../../Form.ts"
import { afterLogin } from "../../flow/AfterLogin.ts"
import { type AppPage, queryOf, showView } from "../../HostedPage.ts"
import { newPasswordFields } from "../../markup/CommonFields.ts"
import type { View } from "../../markup/Document.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { passkeySupportField } from "../../markup/PasskeyForm.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

const KIND = "top:"

const invitationView = (
  { texts, flow }: AppPageContext,
  token: string,
  { user, passwordRequirements }: PendingReset,
  errors: FieldErrors = []
): View => {
  const { title, lead, button } = texts.operator
  const email = user.email ?? ""
  const account = { name: "account", label: texts.form.email, type: "text", autocomplete: "username" } as const
  const fields = [
    { ...account, value: email, fixed: true },
    ...newPasswordFields(texts, passwordRequirements, texts.form.newPassword)
  ]
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    // Its script reports whether the device can create a passkey, which is then offered.
    passkeys: {},
    content: html`<p>${lead(userText(email))}</p>
${formMarkup(texts, { page: "invitation", hidden: { ...flow, token }, fields, button, focus: true, extra: passkeySupportField }, errors)}`
  }
}

/** `/console/auth/invitation` sets the first password of an operator and logs the operator in (C302). */
export const operatorInvitationPage = Effect.gen(function* () {
  const resets = yield* PasswordResets
  const { finish } = yield* afterLogin
  const page: AppPage = {
    show: (request) => {
      const token = queryOf(request)("token")
      return Effect.map(resets.preview(KIND, token), (seen) => showView(invitationView(request.context, token, seen)))
    },
    submit: (request, form) => {
      const { context } = request
      const token = form("token")
      return Effect.gen(function* () {
        const { password, problems } = newPasswordIn(form)
        const reset = { kind: KIND, token, password, userId: undefined, logsIn: "kli_" } as const
        const outcome: LoginOutcome = yield* withKnownProblems(problems, resets.resetAndLogIn(reset)).pipe(
          Effect.map((done) =>
            done._tag === "LoggedIn" ? loggedInAt(null, done.login, { returnTo: null, state: null }) : done
          )
        )
        return yield* finish(request, outcome, { flow: context.flow ?? {}, form })
      }).pipe(
        Effect.catchTag(["Rejected", "HashingBusy"], (failure) =>
          Effect.map(resets.preview(KIND, token), (seen) => {
            const refusal = formRefusalOf(context, failure)
            return showView(withRefusalStatus(refusal, invitationView(context, token, seen, refusal.errors)))
          })
        ),
        Effect.withSpan("OperatorInvitation.submit")
      )
    }
  }
  return page
})
