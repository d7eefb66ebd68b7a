import { Effect } from "effect"
import { AccountExports } from "#core/account/AccountExports"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { AccountProofs } from "#core/account/AccountProofs"
import { AccountSettings } from "#core/account/AccountSettings"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { RateLimits } from "#core/limits/RateLimits"
import { EmailVerifications, type LinkProof } from "#core/login/EmailVerifications"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { UserUpdates } from "#core/users/UserUpdates"
import { canonicalEmail } from "#domain/Email"
import { withKnownProblems } from "#domain/KnownProblems"
import { type Problem, problem, Rejected } from "#domain/Rejected"
import { hasTeams } from "#domain/Team"
import { usesUsernames } from "#domain/User"
import { type FormValues, namesIn } from "../../Form.ts"
import { queryOf, redirectTo } from "../../HostedPage.ts"
import { rateLimiter } from "../../RateLimit.ts"
import { type AppRequest, isRead } from "../../RequestShell.ts"
import {
  type AccountAction,
  accountPage,
  type RejectedForm,
  redirectToSavedOn,
  userGone
} from "../account/AccountPage.ts"
import { accountProof } from "../account/AccountProof.ts"
import { localeChosenIn } from "./LanguageField.ts"
import { type Profile, profileView, requiredNames } from "./ProfileView.ts"

const redirectToSaved = redirectToSavedOn("profile")

/** The current password is optional on this form, so its error explains what it is needed for. */
const withPasswordPurpose = (one: Problem): Problem =>
  one.field === "current_password" && one.code === "blank" ? problem("current_password", "password_for_email") : one

/** `/profile` shows users their account and lets them change it. */
export const profilePage = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const requireProof = yield* accountProof
  const account = yield* AccountSettings
  const passkeys = yield* AccountPasskeys
  const proofs = yield* AccountProofs
  const browsers = yield* BrowserSessions
  const exports = yield* AccountExports
  const inviting = yield* MemberInvites
  const updates = yield* UserUpdates
  const verifications = yield* EmailVerifications
  const rateLimits = yield* RateLimits

  /** Returns a problem if the change requires a password and it is missing. */
  const missingPasswordProblems = (browserUser: LoggedInVisitor, form: FormValues) =>
    form("current_password") !== ""
      ? Effect.succeed([])
      : proofs.prove(browserUser, "").pipe(
          Effect.as<ReadonlyArray<Problem>>([]),
          Effect.catchTag("Rejected", ({ problems }) => Effect.succeed(problems))
        )

  const changeDetails: AccountAction = (request, browserUser, form) =>
    Effect.gen(function* () {
      const { user, login } = browserUser
      const guard = browsers.requireLogin(login)
      const isStandard = usesUsernames(request.context.realm, "human")
      const username = isStandard ? { username: form("username") } : {}
      const { names, problems } = namesIn(form, requiredNames(request.app, user))
      const email = canonicalEmail(form("email"))
      // Changing names is not rate limited. Changing login names is, because the response reveals whether a login name is
      // taken.
      const isSameLogin = email === user.email && (!isStandard || form("username") === (user.username ?? ""))
      if (!isSameLogin) yield* rateLimit(request)
      // A form that is rejected anyway does not change the email. A missing password is also reported.
      if (email !== user.email && (email === undefined || problems.length > 0)) {
        problems.push(...(yield* missingPasswordProblems(browserUser, form)))
      } else if (email !== user.email) {
        yield* Effect.andThen(requireProof(request, browserUser, form), rateLimits.takeVisitorMail)
      }
      const language = localeChosenIn(form, request.context.realm, user)
      const attributes = { ...names, ...username, ...language, email: form("email") }
      yield* withKnownProblems(problems, updates.updateProfile(user.id, { attributes, password: undefined }, guard))
      return redirectToSaved(request, "details")
    }).pipe(
      Effect.catchTag(["UserNotFound", "UserInactive"], userGone),
      Effect.catchTag("Rejected", ({ problems }) =>
        Effect.fail(new Rejected({ problems: problems.map(withPasswordPurpose) }))
      )
    )

  /** Emails a link that verifies the user's current or pending email. */
  const mailLink =
    (proof: LinkProof, change: string): AccountAction =>
    (request, { user }) =>
      rateLimits.takeVisitorMail.pipe(
        Effect.andThen(verifications.request(user.id, "mail", proof)),
        Effect.as(redirectToSaved(request, change)),
        Effect.catchTag(["UserNotFound", "UserInactive"], userGone),
        // The email has been verified in the meantime, or there is no pending email anymore.
        Effect.catchTag("Rejected", () => Effect.succeed(redirectTo(request, "profile")))
      )

  /** The values of a rejected form, which is shown again. */
  const typedIn = ({ way, form }: RejectedForm): Partial<Profile> => {
    const [first_name, last_name] = [form("first_name"), form("last_name")]
    const [email, username, language] = [form("email"), form("username"), form("language")]
    return way === "details" ? { values: { first_name, last_name, email, username, language } } : {}
  }

  const view = Effect.fnUntraced(function* (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    refused: RejectedForm | undefined
  ) {
    const { app, context } = request
    const { user, orgId } = browserUser
    const orgs = context.realm.orgMode === "multi_user" ? yield* account.orgs(user) : []
    const saved = isRead(request.http) ? queryOf(request)("saved") : ""
    const profile: Profile = {
      user,
      saved,
      passkeys: saved === "" ? undefined : yield* passkeys.accepted(user),
      asksPassword: yield* proofs.acceptsPassword(user),
      hasSeveralOrgs: orgs.length > 1,
      org: orgs.length === 1 ? orgs[0] : orgs.find(({ id }) => id === orgId),
      mayInvite: !hasTeams(context.realm) && (yield* inviting.offer(app, user)) !== undefined,
      ...(refused === undefined ? {} : typedIn(refused))
    }
    return profileView(context, profile, refused?.errors)
  })

  /** Exports the user's stored data. Requires a recent proof of identity (SEC-137). */
  const exportData: AccountAction = (_, browserUser) =>
    Effect.gen(function* () {
      yield* proofs.requireRecent(browserUser)
      const data = yield* exports.of(browserUser.user)
      return { download: { fileName: "account.json", json: `${JSON.stringify(data, undefined, 2)}\n` } }
    })

  const actions = {
    export: exportData,
    details: changeDetails,
    resend: mailLink("mailed_change", "email"),
    verify: mailLink("mailed_confirmation", "verification")
  }
  return yield* accountPage({ name: "profile", actions, uncounted: new Set(["details"]), view })
})
