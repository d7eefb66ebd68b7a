import { Effect } from "effect"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { InvitationFlow, type SeenInvitation } from "#core/invitations/InvitationFlow"
import { withKnownProblems } from "#domain/KnownProblems"
import { type LoginOutcome, TokenNotFound } from "#domain/Login"
import type { Rejected } from "#domain/Rejected"
import { extraFieldProblems, extraFieldsForInvitee } from "#domain/Signup"
import { presence } from "#domain/Text"
import { type FormFailure, type FormRefusal, formRefusal, formRefusalOf, refusedView } from "../../Errors.ts"
import { type FormValues, newPasswordIn } from "../../Form.ts"
import { type LinkPage, queryOf, showView } from "../../HostedPage.ts"
import type { View } from "../../markup/Document.ts"
import type { RealmPageContext } from "../../PageContext.ts"
import { type AcceptStep, acceptInvitationView, invitationAcceptedView } from "./AcceptInvitationView.ts"

const firstStep = (way: string, { known }: SeenInvitation): AcceptStep =>
  way === "login" || (known && way !== "signup") ? { way: "login" } : { way: "signup" }

const isEmailTaken = (failure: FormFailure): failure is Rejected =>
  failure._tag === "Rejected" && failure.problems.some(({ field, code }) => field === "email" && code === "taken")

/** `…/invitation?token=`: accepts an invitation, with a new account or with an existing one. */
export const acceptInvitationPage = Effect.gen(function* () {
  const flow = yield* InvitationFlow
  const apps = yield* ConnectedApps

  /** The invitation of a token. A signup that began on the host of an app finishes there, by what that app asks for. */
  const findInvitation = Effect.fnUntraced(function* ({ app }: RealmPageContext, token: string) {
    const seen = yield* flow.look(token)
    const isElsewhere = app === undefined && seen.invitation.invitationType === "preverify"
    return isElsewhere && (yield* apps.oldest) !== undefined ? yield* new TokenNotFound() : seen
  })

  /** Shows a form again. Fails where the invitation is no longer there. */
  const retry = (context: RealmPageContext, token: string, step: AcceptStep, refusal: FormRefusal) =>
    Effect.map(findInvitation(context, token), (seen) =>
      refusedView(refusal, acceptInvitationView(context, token, seen, step, refusal.errors))
    )

  const signUp = Effect.fn("Invitation.signUp")(
    function* (context: RealmPageContext, token: string, form: FormValues) {
      const seen = yield* findInvitation(context, token)
      const extraFields = extraFieldsForInvitee(context.app, seen.invitation)
      const [firstName, lastName, orgName] = [form("first_name"), form("last_name"), form("org_name")]
      const { password, problems } = newPasswordIn(form)
      const signup = {
        token,
        password,
        firstName: presence(firstName),
        lastName: presence(lastName),
        newOrg: extraFields.org === "none" ? undefined : { name: presence(orgName) }
      }
      const extraProblems = extraFieldProblems({ firstName, lastName, orgName }, extraFields)
      yield* withKnownProblems([...extraProblems, ...problems], flow.signUp(signup))
      return invitationAcceptedView(context, seen, seen.invitation.email)
    },
    (view, context, token, form) =>
      Effect.catchTag(view, ["Rejected", "HashingBusy"], (failure) => {
        if (isEmailTaken(failure)) {
          return retry(context, token, { way: "login" }, formRefusal(context.texts.invitation.taken))
        }
        const typed = { firstName: form("first_name"), lastName: form("last_name"), orgName: form("org_name") }
        return retry(context, token, { way: "signup", ...typed }, formRefusalOf(context, failure))
      })
  )

  const outcomeView = (context: RealmPageContext, token: string, seen: SeenInvitation, outcome: LoginOutcome) =>
    outcome._tag === "LoggedIn"
      ? invitationAcceptedView(context, seen)
      : acceptInvitationView(context, token, seen, { way: "code", login: outcome.token })

  const logIn = Effect.fn("Invitation.logIn")(
    function* (context: RealmPageContext, token: string, form: FormValues) {
      const seen = yield* findInvitation(context, token)
      if (form("name").trim() === "") {
        const missing = formRefusal(context.texts.form.nameMissing, "name")
        return yield* retry(context, token, { way: "login", name: "" }, missing)
      }
      return outcomeView(context, token, seen, yield* flow.logIn(token, form("name"), form("password")))
    },
    (view, context, token, form) =>
      Effect.catchTag(view, ["Rejected", "HashingBusy", "WrongPassword", "Blocked"], (failure) =>
        retry(context, token, { way: "login", name: form("name") }, formRefusalOf(context, failure))
      )
  )

  const complete = Effect.fn("Invitation.complete")(
    function* (context: RealmPageContext, token: string, form: FormValues) {
      const seen = yield* findInvitation(context, token)
      return outcomeView(context, token, seen, yield* flow.complete(token, form("login"), form("code").trim()))
    },
    (view, context, token, form) =>
      view.pipe(
        Effect.catchTag(["Rejected", "WrongCode", "WrongPassword", "Blocked"], (failure) =>
          retry(context, token, { way: "code", login: form("login") }, formRefusalOf(context, failure))
        ),
        // The token of the login has expired; where that of the invitation has, `retry` fails.
        Effect.catchTag("TokenNotFound", () =>
          retry(context, token, { way: "login" }, formRefusal(context.texts.invitation.lapsed))
        )
      )
  )

  const actions = new Map([
    ["signup", signUp],
    ["login", logIn],
    ["code", complete]
  ])

  const page: LinkPage = {
    show: (request) => {
      const { context } = request
      const query = queryOf(request)
      const token = query("token")
      const view = (seen: SeenInvitation): View =>
        acceptInvitationView(context, token, seen, firstStep(query("way"), seen))
      return Effect.map(findInvitation(context, token), (seen) => showView(view(seen)))
    },
    submit: ({ context }, form) => {
      const action = actions.get(form("way")) ?? signUp
      return Effect.map(action(context, form("token"), form), showView)
    }
  }
  return page
})
