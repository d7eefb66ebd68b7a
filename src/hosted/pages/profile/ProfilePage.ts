import { Effect, identity } from "effect"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { RateLimits } from "#core/limits/RateLimits"
import { EmailVerifications, type LinkProof } from "#core/login/EmailVerifications"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { BrowserSessions, type ProvedUser } from "#core/sessions/BrowserSessions"
import { AccountSettings } from "#core/users/AccountSettings"
import { UserUpdates } from "#core/users/UserUpdates"
import { canonicalEmail } from "#domain/Email"
import { withKnownProblems } from "#domain/KnownProblems"
import type { CurrentRealm } from "#domain/Realm"
import type { LoginStale } from "#domain/Reauthentication"
import { type Problem, problem, Rejected } from "#domain/Rejected"
import { SessionNotFound } from "#domain/Session"
import { usesUsernames } from "#domain/User"
import { VisitorLanguage } from "#domain/VisitorLanguage"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { type AppPageFailure, type FormFailure, formRefusalOf, refusedView } from "../../Errors.ts"
import { pageUrl } from "../../FlowParams.ts"
import { codeIn, type FormValues, namesIn, newPasswordIn } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, redirectTo, showView } from "../../HostedPage.ts"
import { rateLimiter } from "../../RateLimit.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { secondFactorCodeIn } from "../../SecondStep.ts"
import { deviceSetupView } from "./DeviceSetupView.ts"
import { localeChosenIn } from "./LanguageField.ts"
import { type Profile, type ProfileErrors, profileView } from "./ProfileView.ts"
import { requiredNames } from "./RequiredNames.ts"

type Saved = NonNullable<Profile["saved"]>

const changes: ReadonlyArray<Saved> = ["details", "password", "device", "removed", "email", "verification"]

/** Redirects to the page, which tells what was saved: to reload it does nothing twice. */
const saved = (request: AppRequest, change: Saved): PageResult => redirectTo(request, "profile", { saved: change })

const profile = (request: AppRequest): PageResult => redirectTo(request, "profile")

/** A change that needs a recent login (SEC-90) redirects to the login, which leads back here. */
const reauthenticate = ({ context }: AppRequest): PageResult => ({
  redirect: pageUrl("login", { ...context.flow, next: "profile" }, { way: "login", why: "proof" })
})

/** The current password is optional beside the details, so that its error says what it is needed for. */
const namingPurpose = (one: Problem): Problem =>
  one.field === "current_password" && one.code === "blank" ? problem("current_password", "password_for_email") : one

type Action = (
  request: AppRequest,
  browserUser: ProvedUser,
  form: FormValues
) => Effect.Effect<PageResult, AppPageFailure | FormFailure | LoginStale, CurrentRealm>

/** `/profile`: shows users their accounts, and lets them change them. */
export const profilePage = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const browsers = yield* BrowserSessions
  const account = yield* AccountSettings
  const inviting = yield* MemberInvites
  const updates = yield* UserUpdates
  const passwords = yield* PasswordUpdates
  const verifications = yield* EmailVerifications
  const rateLimits = yield* RateLimits

  /** The user was deleted or deactivated meanwhile. */
  const userGone = () => Effect.fail(new SessionNotFound({ id: "" }))

  const viewOf = Effect.fnUntraced(function* (
    { app, context }: AppRequest,
    { user, orgId }: ProvedUser,
    more: Partial<Profile>,
    errors?: ProfileErrors
  ) {
    const orgs = context.realm.orgMode === "multi_user" ? yield* account.orgs(user) : []
    const view = {
      user,
      saved: undefined,
      ...(yield* account.look(user)),
      hasSeveralOrgs: orgs.length > 1,
      org: orgs.length === 1 ? orgs[0] : orgs.find(({ id }) => id === orgId),
      mayInvite: (yield* inviting.offer(app, user)) !== undefined,
      ...more
    }
    return profileView(context, view, errors)
  })

  /**
   * Demands the password or a recent login before a sensitive change (SEC-90). The right password counts for later
   * changes.
   */
  const requireProof = Effect.fnUntraced(function* (request: AppRequest, browserUser: ProvedUser, form: FormValues) {
    const byPassword = yield* account.prove(browserUser, form("current_password"))
    if (byPassword) yield* browsers.prove(request.app, sessionSecretIn(request))
  })

  /** That the password is missing, for a change that needs it. */
  const missingProof = (browserUser: ProvedUser, form: FormValues) =>
    form("current_password") !== ""
      ? Effect.succeed([])
      : account.prove(browserUser, "").pipe(
          Effect.as<ReadonlyArray<Problem>>([]),
          Effect.catchTag("Rejected", ({ problems }) => Effect.succeed(problems))
        )

  const changeDetails: Action = (request, browserUser, form) =>
    Effect.gen(function* () {
      const { user } = browserUser
      const isStandard = usesUsernames(request.context.realm, "human")
      const username = isStandard ? { username: form("username") } : {}
      const { names, problems } = namesIn(form, requiredNames(request.app, user))
      const email = canonicalEmail(form("email"))
      // Names are saved as often as anybody likes. Logins are not: the answer tells who has one.
      const isSameLogin = email === user.email && (!isStandard || form("username") === (user.username ?? ""))
      if (!isSameLogin) yield* rateLimit(request)
      // A form that is refused in any case changes no e-mail. Its password is asked for where it is missing.
      if (email !== user.email && (email === undefined || problems.length > 0)) {
        problems.push(...(yield* missingProof(browserUser, form)))
      } else if (email !== user.email) {
        yield* Effect.andThen(requireProof(request, browserUser, form), rateLimits.takeVisitorMail)
      }
      const language = localeChosenIn(form, request.context.realm, user)
      const attributes = { ...names, ...username, ...language, email: form("email") }
      yield* withKnownProblems(problems, updates.updateProfile(user.id, { attributes, password: undefined }))
      return saved(request, "details")
    }).pipe(
      Effect.catchTag(["UserNotFound", "UserInactive"], userGone),
      Effect.catchTag("Rejected", ({ problems }) =>
        Effect.fail(new Rejected({ problems: problems.map(namingPurpose) }))
      )
    )

  const changePassword: Action = (request, { user, session }, form) =>
    Effect.gen(function* () {
      const { password, problems } = newPasswordIn(form)
      const change = {
        currentPassword: form("current_password"),
        password,
        keeps: session?.id ?? false
      }
      yield* withKnownProblems(problems, passwords.update(user.id, change))
      return { ...saved(request, "password"), knownBrowser: yield* browsers.remember(user) }
    }).pipe(Effect.catchTag(["UserNotFound", "UserInactive"], userGone))

  /** Mails the link that verifies an address: the user's e-mail, or the one that is to take its place. */
  const mailLink =
    (proof: LinkProof, change: Saved): Action =>
    (request, { user }) =>
      rateLimits.takeVisitorMail.pipe(
        Effect.andThen(verifications.request(user.id, "mail", proof)),
        Effect.as(saved(request, change)),
        Effect.catchTag(["UserNotFound", "UserInactive"], userGone),
        // The e-mail was verified meanwhile, or none is pending any more.
        Effect.catchTag("Rejected", () => Effect.succeed(profile(request)))
      )

  const addDevice: Action = (request, browserUser, form) =>
    Effect.gen(function* () {
      yield* requireProof(request, browserUser, form)
      const device = yield* account.addDevice(browserUser.user, form("device_name"))
      return showView(deviceSetupView(request.context, device))
    })

  const activateDevice: Action = (request, browserUser, form) => {
    const { context } = request
    const { user } = browserUser
    const activated = Effect.andThen(
      account.requireRecentProof(browserUser),
      Effect.flatMap(codeIn(form), (code) => account.activate(user, form("device"), code))
    )
    return Effect.as(activated, saved(request, "device")).pipe(
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) =>
        Effect.map(account.newDevice(user, form("device")), (device) => {
          const refusal = formRefusalOf(context, failure)
          return showView(refusedView(refusal, deviceSetupView(context, device, refusal.errors)))
        })
      ),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(profile(request)))
    )
  }

  const removeDevice: Action = (request, { user }, form) =>
    secondFactorCodeIn(form).pipe(
      Effect.flatMap((code) => account.removeDevice(user, form("device"), code)),
      Effect.as(saved(request, "removed")),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(profile(request)))
    )

  const actions = new Map<string, { readonly act: Action; readonly section: keyof ProfileErrors }>([
    ["details", { act: changeDetails, section: "details" }],
    ["password", { act: changePassword, section: "password" }],
    ["resend", { act: mailLink("mailed_change", "email"), section: "details" }],
    ["verify", { act: mailLink("mailed_confirmation", "verification"), section: "details" }],
    ["add", { act: addDevice, section: "device" }],
    ["activate", { act: activateDevice, section: "device" }],
    ["remove", { act: removeDevice, section: "device" }]
  ])

  /** What was typed into a form, to be shown in it again. */
  const typedIn = (form: FormValues): Partial<Profile> => {
    if (form("way") === "remove") return { removing: form("device") }
    if (form("way") === "add") return { deviceName: form("device_name") }
    const [first_name, last_name] = [form("first_name"), form("last_name")]
    const [email, username, language] = [form("email"), form("username"), form("language")]
    const values = { first_name, last_name, email, username, language }
    return form("way") === "details" ? { values } : {}
  }

  const page: AppPage = {
    show: Effect.fn("Profile.show")(function* (request) {
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      const change = queryOf(request)("saved")
      return showView(yield* viewOf(request, browserUser, { saved: changes.find((one) => one === change) }))
    }),
    submit: Effect.fn("Profile.submit")(function* (request, form) {
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      const action = actions.get(form("way"))
      if (action === undefined) return profile(request)
      if (form("way") !== "details") yield* rateLimit(request)
      return yield* action.act(request, browserUser, form).pipe(
        // Who has a language gets mails in it, whatever that of the page is.
        browserUser.user.locale === null ? identity : Effect.provideService(VisitorLanguage, null),
        Effect.catchTag("LoginStale", () => Effect.succeed(reauthenticate(request))),
        Effect.catchTag(["Rejected", "HashingBusy", "WrongCode", "WrongPassword", "Blocked"], (failure) => {
          const refusal = formRefusalOf(request.context, failure)
          const errors = { [action.section]: refusal.errors }
          const view = viewOf(request, browserUser, typedIn(form), errors)
          return Effect.map(view, (view) => showView(refusedView(refusal, view)))
        })
      )
    })
  }
  return page
})
