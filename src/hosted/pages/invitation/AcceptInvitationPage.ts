import { Effect } from "effect"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { InvitationFlow, type InvitationLeft, type InvitationPreview } from "#core/invitations/InvitationFlow"
import type { BrowserUser } from "#core/sessions/BrowserSessions"
import { withKnownProblems } from "#domain/KnownProblems"
import { type LoginOutcome, TokenNotFound } from "#domain/Login"
import type { CurrentRealm } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { Login } from "#domain/Session"
import { extraFieldProblems, extraFieldsForInvitee } from "#domain/Signup"
import { nonBlank } from "#domain/Text"
import {
  type FormFailure,
  type FormRefusal,
  formRefusal,
  formRefusalOf,
  missingNameRefusal,
  type PageFailure,
  withRefusalStatus
} from "../../Errors.ts"
import { type FormValues, newPasswordIn } from "../../Form.ts"
import { secondFactorEmail, secondFactorIn, secondStep, secondStepRefusal } from "../../flow/SecondStep.ts"
import { type HostedPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { type View, withRedirectTarget } from "../../markup/Document.ts"
import { mfaCodeView } from "../../markup/MfaCodeView.ts"
import type { RealmPageContext } from "../../PageContext.ts"
import type { HostedRequest } from "../../RequestShell.ts"
import { type AcceptStep, acceptInvitationView } from "./AcceptInvitationView.ts"

/** An accepted invitation. `session` is undefined if no session is stored. */
export interface AcceptedInvitation extends BrowserUser {
  readonly seen: InvitationPreview
  /**
   * How the invitation was accepted: `signup` created the user, `login` started the session, and a `visitor` was already
   * logged in.
   */
  readonly by: "signup" | "login" | "visitor"
}

/** A user who logged in on the page but, as an existing member, leaves the invitation to the invited person (C104). */
export interface DeclinedInvitation {
  readonly seen: InvitationPreview
  readonly token: string
  readonly login: Login
}

const accepted = (invitation: AcceptedInvitation) => ({ accepted: invitation })

/** The parts of the page that depend on whether it is on the host of an app or belongs to a realm without an app. */
export interface InvitationHost<R extends HostedRequest, Failure> {
  /** Returns the user who is logged in in the browser. */
  readonly visitor: (request: R) => Effect.Effect<BrowserUser | undefined, never, CurrentRealm>
  /** Returns the URL outside hosted login that the page leads to in the end, or null if there is none. */
  readonly returnUrl: (request: R, isNew: boolean) => Effect.Effect<string | null, Failure>
  /** Returns the page or redirect that follows an accepted invitation. */
  readonly finish: (request: R, accepted: AcceptedInvitation) => Effect.Effect<PageResult, Failure, CurrentRealm>
  /** Tells a user who has logged in that the invitation is for someone else. */
  readonly leave: (request: R, left: DeclinedInvitation) => Effect.Effect<PageResult, Failure, CurrentRealm>
}

/** A visit to the page of an invitation. */
interface Visit {
  readonly context: RealmPageContext
  readonly token: string
  readonly visitor: BrowserUser | undefined
  readonly returnUrls: { readonly login: string | null; readonly signup: string | null }
}

/** The form to show at first, unless the visitor chose another. For a `preverify` invitation, it is the sign-up. */
const firstStep = (way: string, { hasAccount, invitation }: InvitationPreview, visitor?: BrowserUser): AcceptStep => {
  if (way === "signup") return { way }
  if (visitor !== undefined && invitation.invitationType !== "preverify") return { way: "accept", user: visitor.user }
  return { way: hasAccount || way === "login" ? "login" : "signup" }
}

const viewOf = (visit: Visit, seen: InvitationPreview, step: AcceptStep, errors?: FormRefusal["errors"]): View => {
  const { context, token, returnUrls } = visit
  const view = acceptInvitationView(context, token, seen, step, errors)
  return withRedirectTarget(step.way === "signup" ? returnUrls.signup : returnUrls.login, view)
}

const isEmailTaken = (failure: FormFailure): failure is Rejected =>
  failure._tag === "Rejected" && failure.problems.some(({ field, code }) => field === "email" && code === "taken")

/** Reads a new password. The app can require it to be typed twice. */
const passwordIn = ({ app }: RealmPageContext, form: FormValues) =>
  app?.requirePasswordConfirmation === true ? newPasswordIn(form) : { password: form("password"), problems: [] }

/** The handlers of the forms. Each one accepts the invitation or returns a view. */
const acceptanceForms = Effect.gen(function* () {
  const flow = yield* InvitationFlow
  const apps = yield* ConnectedApps
  const secondStepOf = yield* secondStep

  /**
   * Finds the invitation of a token. A sign-up that started on the host of an app must be completed there, subject to the
   * app's requirements.
   */
  const find = Effect.fnUntraced(function* ({ context, token, visitor }: Visit) {
    const seen = yield* flow.preview(token, visitor?.user)
    const isElsewhere = context.app === undefined && seen.invitation.invitationType === "preverify"
    return isElsewhere && (yield* apps.oldest) !== undefined ? yield* new TokenNotFound() : seen
  })

  /** Shows a form again, or fails if the invitation no longer exists. */
  const retry = (visit: Visit, step: AcceptStep, refusal: FormRefusal) =>
    Effect.map(find(visit), (seen) => withRefusalStatus(refusal, viewOf(visit, seen, step, refusal.errors)))

  const signUp = Effect.fn("Invitation.signUp")(
    function* (visit: Visit, form: FormValues) {
      const { context, token } = visit
      const seen = yield* find(visit)
      const extraFields = extraFieldsForInvitee(context.realm, context.app, seen.invitation)
      const nameIn = (field: string) => (extraFields.names === "none" ? "" : form(field))
      const [firstName, lastName, orgName] = [nameIn("first_name"), nameIn("last_name"), form("org_name")]
      const { password, problems } = passwordIn(context, form)
      const signup = {
        token,
        password,
        firstName: nonBlank(firstName),
        lastName: nonBlank(lastName),
        newOrg: extraFields.org === "none" ? undefined : { name: nonBlank(orgName) }
      }
      const extraProblems = extraFieldProblems({ firstName, lastName, orgName }, extraFields)
      const signedUp = yield* withKnownProblems([...extraProblems, ...problems], flow.signUp(signup))
      // The invitation is now accepted, and the rest is an ordinary login.
      if (signedUp._tag === "Mfa") {
        const { token: login } = signedUp
        const step = { page: "login", flow: context.flow ?? {}, login, restart: "login" }
        return mfaCodeView(context, { ...(yield* secondStepOf(login)), ...step })
      }
      const { user, session } = signedUp
      return accepted({ seen, user, session, authentication: session?.authentication ?? null, by: "signup" })
    },
    (result, visit, form) =>
      Effect.catchTag(result, ["Rejected", "HashingBusy"], (failure) => {
        const { context } = visit
        if (isEmailTaken(failure)) return retry(visit, { way: "login" }, formRefusal(context.texts.invitation.taken))
        const typed = { firstName: form("first_name"), lastName: form("last_name"), orgName: form("org_name") }
        return retry(visit, { way: "signup", ...typed }, formRefusalOf(context, failure))
      })
  )

  const codeStep = (login: string, chosen?: string) =>
    Effect.map(secondStepOf(login, chosen), (factors) => ({ way: "code" as const, login, factors }))

  const afterLogin = Effect.fnUntraced(function* (
    visit: Visit,
    seen: InvitationPreview,
    outcome: LoginOutcome | InvitationLeft
  ) {
    if (outcome._tag === "MfaRequired") return viewOf(visit, seen, yield* codeStep(outcome.token))
    if (outcome._tag === "InvitationLeft") return { left: { seen, token: visit.token, login: outcome.login } }
    const { user, session } = outcome.login
    return accepted({ seen, user, session, authentication: session.authentication, by: "login" })
  })

  const logIn = Effect.fn("Invitation.logIn")(
    function* (visit: Visit, form: FormValues) {
      const seen = yield* find(visit)
      if (form("name").trim() === "") {
        const missing = missingNameRefusal(visit.context)
        return yield* retry(visit, { way: "login", name: "" }, missing)
      }
      return yield* afterLogin(visit, seen, yield* flow.logIn(visit.token, form("name"), form("password")))
    },
    (result, visit, form) =>
      Effect.catchTag(result, ["Rejected", "HashingBusy", "WrongPassword", "Blocked"], (failure) =>
        retry(visit, { way: "login", name: form("name") }, formRefusalOf(visit.context, failure))
      )
  )

  const complete = Effect.fn("Invitation.complete")(
    function* (visit: Visit, form: FormValues) {
      const seen = yield* find(visit)
      const code = yield* secondFactorIn(form)
      return yield* afterLogin(visit, seen, yield* flow.complete(visit.token, form("login"), code))
    },
    (result, visit, form) =>
      result.pipe(
        Effect.catchTag(["Rejected", "WrongCode", "WrongPassword", "Blocked"], (failure) =>
          Effect.flatMap(codeStep(form("login"), form("by")), (step) =>
            retry(visit, step, secondStepRefusal(visit.context, failure, step.factors.by))
          )
        ),
        // The login's token has expired. If the invitation's token has also expired, `retry` fails.
        Effect.catchTag("TokenNotFound", () =>
          retry(visit, { way: "login" }, formRefusal(visit.context.texts.invitation.lapsed))
        )
      )
  )

  const accept = Effect.fn("Invitation.accept")(function* (visit: Visit, form: FormValues) {
    const { token, visitor } = visit
    const seen = yield* find(visit)
    // Nobody is logged in anymore, or a different user has logged in since the page was shown.
    if (visitor?.user.id !== form("user")) return viewOf(visit, seen, firstStep("", seen, visitor))
    if (seen.isMember) return viewOf(visit, seen, { way: "accept", user: visitor.user })
    return yield* flow.accept(visitor.user, token).pipe(
      Effect.as(accepted({ seen, ...visitor, by: "visitor" })),
      Effect.catchTag("UserNotFound", () => Effect.succeed(viewOf(visit, seen, firstStep("", seen)))),
      Effect.catchTag("Rejected", (failure) =>
        retry(visit, { way: "accept", user: visitor.user }, formRefusalOf(visit.context, failure))
      )
    )
  })

  /** Switches to another second factor. */
  const chooseFactor = Effect.fn("Invitation.chooseFactor")(function* (visit: Visit, form: FormValues) {
    return viewOf(visit, yield* find(visit), yield* codeStep(form("login"), form("by")))
  })

  return { find, signUp, logIn, complete, chooseFactor, accept }
})

/** `…/invitation?token=` accepts an invitation with a new or an existing account. */
export const acceptInvitationPage = Effect.fnUntraced(function* <R extends HostedRequest, Failure>(
  host: InvitationHost<R, Failure>
) {
  const forms = yield* acceptanceForms
  const sendSecondCode = yield* secondFactorEmail

  const actions = new Map([
    ["signup", forms.signUp],
    ["login", forms.logIn],
    ["code", forms.complete],
    ["factor", forms.chooseFactor],
    ["accept", forms.accept]
  ])

  /** `way` is the requested or submitted form. The logged-in user is only needed for the first form and to accept. */
  const visitOf = Effect.fnUntraced(function* (request: R, token: string, way: string) {
    const returnUrls = { login: yield* host.returnUrl(request, false), signup: yield* host.returnUrl(request, true) }
    const visitor = way === "" || way === "accept" ? yield* host.visitor(request) : undefined
    const visit: Visit = { context: request.context, token, visitor, returnUrls }
    return visit
  })

  const page: HostedPage<R, PageFailure | Failure> = {
    show: Effect.fn("Invitation.show")(function* (request: R) {
      const query = queryOf(request)
      const way = query("way")
      const visit = yield* visitOf(request, query("token"), way)
      const seen = yield* forms.find(visit)
      return showView(viewOf(visit, seen, firstStep(way, seen, visit.visitor)))
    }),
    submit: Effect.fn("Invitation.submit")(function* (request: R, form: FormValues) {
      const way = actions.has(form("way")) ? form("way") : "signup"
      const action = actions.get(way) ?? forms.signUp
      if (way === "factor") yield* sendSecondCode(form)
      const outcome = yield* action(yield* visitOf(request, form("token"), way), form)
      if ("left" in outcome) return yield* host.leave(request, outcome.left)
      return "accepted" in outcome ? yield* host.finish(request, outcome.accepted) : showView(outcome)
    })
  }
  return page
})
