import { Effect } from "effect"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { RateLimits } from "#core/limits/RateLimits"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { BrowserSessions, type ProvedUser } from "#core/sessions/BrowserSessions"
import { AccountSettings } from "#core/users/AccountSettings"
import { UserUpdates } from "#core/users/UserUpdates"
import { canonicalEmail } from "#domain/Email"
import type { CurrentRealm } from "#domain/Realm"
import type { LoginStale } from "#domain/Reauthentication"
import { SessionNotFound } from "#domain/Session"
import { haveUsernames } from "#domain/User"
import { sessionIn } from "../../cookies/SessionCookie.ts"
import { type AppPageWord, type FormWord, refusalOf, refused } from "../../Errors.ts"
import { type Filled, namesIn, passwordIn } from "../../Form.ts"
import { type AppPage, type PageCall, shows, type Turn } from "../../HostedPage.ts"
import { address } from "../../markup/Fields.ts"
import { appCalls } from "../../RequestShell.ts"
import { enrolPage } from "./DeviceSetupView.ts"
import { type ProfileErrors, type ProfileView, profilePage } from "./ProfileView.ts"

type Saved = NonNullable<ProfileView["saved"]>

const saids: ReadonlyArray<Saved> = ["details", "password", "device", "removed", "email"]

/** The page once more, which tells what was done: so that a reload does nothing twice. */
const done = ({ visit }: PageCall, saved: Saved): Turn => ({ to: address("profile", visit.carried, { saved }) })

const home = ({ visit }: PageCall): Turn => ({ to: address("profile", visit.carried) })

/** The login, once more: what is to be changed needs one of the last minutes. It leads back here. */
const loginAgain = ({ visit }: PageCall): Turn => ({
  to: address("login", { ...visit.carried, next: "profile" }, { way: "login", why: "proof" })
})

type Act = (
  call: PageCall,
  who: ProvedUser,
  form: Filled
) => Effect.Effect<Turn, AppPageWord | FormWord | LoginStale, CurrentRealm>

/** `/profile`: what people see and change of their own accounts. */
export const profile = Effect.gen(function* () {
  const { counted } = yield* appCalls
  const browsers = yield* BrowserSessions
  const own = yield* AccountSettings
  const inviting = yield* MemberInvites
  const updates = yield* UserUpdates
  const passwords = yield* PasswordUpdates
  const verifications = yield* EmailVerifications
  const rateLimits = yield* RateLimits

  /** Who has been gone for a moment, or was never there. */
  const gone = () => Effect.fail(new SessionNotFound({ id: "" }))

  const shown = Effect.fnUntraced(function* (
    { visit }: PageCall,
    { user }: ProvedUser,
    more: Partial<ProfileView>,
    errors?: ProfileErrors
  ) {
    const view = {
      user,
      saved: undefined,
      ...(yield* own.look(user)),
      orgs: visit.realm.orgMode === "multi_user" && (yield* own.orgs(user)).length > 0,
      invites: (yield* inviting.offer(user)) !== undefined,
      ...more
    }
    return profilePage(visit, view, errors)
  })

  /** Demands a proof before a sensitive change (SEC-90). A password that was right is one for the next change too. */
  const proved = Effect.fnUntraced(function* (call: PageCall, who: ProvedUser, form: Filled) {
    const byPassword = yield* own.prove(who, form("current_password"))
    if (byPassword) yield* browsers.prove(call.app, sessionIn(call.request, call.origin))
  })

  const details: Act = (call, who, form) =>
    Effect.gen(function* () {
      const { user } = who
      const names = yield* namesIn(form)
      const isNewEmail = canonicalEmail(form("email")) !== user.email
      if (isNewEmail) yield* Effect.andThen(proved(call, who, form), rateLimits.takeVisitorMail)
      const username = haveUsernames(call.visit.realm, "human") ? { username: form("username") } : {}
      yield* updates.updateProfile(user.id, {
        attributes: { ...names, ...username, email: form("email") },
        password: undefined
      })
      return done(call, "details")
    }).pipe(Effect.catchTag(["UserNotFound", "UserInactive"], gone))

  const password: Act = (call, { user, session }, form) =>
    Effect.gen(function* () {
      const currentPassword = form("current_password")
      yield* passwords.update(user.id, {
        currentPassword,
        password: yield* passwordIn(form),
        keeps: session?.id ?? false
      })
      return { ...done(call, "password"), remembers: yield* browsers.remember(user) }
    }).pipe(Effect.catchTag(["UserNotFound", "UserInactive"], gone))

  const resend: Act = (call, { user }) =>
    rateLimits.takeVisitorMail.pipe(
      Effect.andThen(verifications.request(user.id, "mail")),
      Effect.as(done(call, "email")),
      Effect.catchTag(["UserNotFound", "UserInactive"], gone),
      // It is verified meanwhile: there is nothing to be sent.
      Effect.catchTag("Rejected", () => Effect.succeed(home(call)))
    )

  const add: Act = (call, who, form) =>
    Effect.gen(function* () {
      yield* proved(call, who, form)
      return shows(enrolPage(call.visit, yield* own.addDevice(who.user, form("device_name"))))
    })

  const activate: Act = (call, who, form) => {
    const { user } = who
    const activated = Effect.andThen(own.recent(who), own.activate(user, form("device"), form("code").trim()))
    return Effect.as(activated, done(call, "device")).pipe(
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (word) =>
        Effect.map(own.newDevice(user, form("device")), (device) =>
          shows(refused(refusalOf(call.visit, word), (errors) => enrolPage(call.visit, device, errors)))
        )
      ),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(home(call)))
    )
  }

  const remove: Act = (call, { user }, form) =>
    Effect.as(own.removeDevice(user, form("device"), form("code").trim()), done(call, "removed")).pipe(
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(home(call)))
    )

  const acts = new Map<string, { readonly act: Act; readonly section: keyof ProfileErrors }>([
    ["details", { act: details, section: "details" }],
    ["password", { act: password, section: "password" }],
    ["resend", { act: resend, section: "details" }],
    ["add", { act: add, section: "device" }],
    ["activate", { act: activate, section: "device" }],
    ["remove", { act: remove, section: "device" }]
  ])

  const typed = (form: Filled): Partial<ProfileView> => {
    if (form("way") === "remove") return { removing: form("device") }
    if (form("way") === "add") return { deviceName: form("device_name") }
    const [first_name, last_name] = [form("first_name"), form("last_name")]
    const values = { first_name, last_name, email: form("email"), username: form("username") }
    return form("way") === "details" ? { values } : {}
  }

  const page: AppPage = {
    show: Effect.fn("Profile.show")(function* (call) {
      const who = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
      return shows(yield* shown(call, who, { saved: saids.find((one) => one === call.query("saved")) }))
    }),
    act: Effect.fn("Profile.act")(function* (call, form) {
      const who = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
      const asked = acts.get(form("way"))
      if (asked === undefined) return home(call)
      yield* counted(call)
      return yield* asked.act(call, who, form).pipe(
        Effect.catchTag("LoginStale", () => Effect.succeed(loginAgain(call))),
        Effect.catchTag(["Rejected", "HashingBusy", "WrongCode", "WrongPassword", "Blocked"], (word) => {
          const refusal = refusalOf(call.visit, word)
          const errors = { [asked.section]: refusal.errors }
          return Effect.map(shown(call, who, typed(form), errors), (again) => shows(refused(refusal, () => again)))
        })
      )
    })
  }
  return page
})
