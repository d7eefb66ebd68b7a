import { DateTime } from "effect"
import { speaking } from "#api/Messages"
import { provisioningSvg, provisioningUri } from "#core/tokens/Totp"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { blankApp } from "#domain/ConnectedAppInput"
import { LoginPolicyId, RealmId, UserId } from "#domain/Ids"
import { defaultSettings, type Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import type { Page } from "#hosted/markup/Document"
import type { FieldError } from "#hosted/markup/Fields"
import { sentPage } from "#hosted/markup/MailSentView"
import { codePage } from "#hosted/markup/MfaCodeView"
import { tooMany, troubled } from "#hosted/markup/Notices"
import type { AppVisit } from "#hosted/PageContext"
import { accountsPage } from "#hosted/pages/accounts/AccountsView"
import { forgotPage } from "#hosted/pages/forgot/ForgotView"
import { invitedPage, invitePage } from "#hosted/pages/invitation/InviteView"
import { continuePage, loginPage } from "#hosted/pages/login/LoginView"
import { loggedOutPage, logoutPage } from "#hosted/pages/logout/LogoutView"
import { enrolPage } from "#hosted/pages/profile/DeviceSetupView"
import { type ProfileView, profilePage } from "#hosted/pages/profile/ProfileView"
import { resetDonePage, resetPage } from "#hosted/pages/reset/ResetView"
import { preverifyPage, requestPage, signupClosedPage, signupPage } from "#hosted/pages/signup/SignupView"
import { verifiedPage, verifyPage } from "#hosted/pages/verify/VerifyView"
import { en } from "#hosted/texts/en"
import { es } from "#hosted/texts/es"

const at = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const realmId = RealmId.make("rl_1")

const texts = { en, es }

export type Language = keyof typeof texts

/** The languages that pages are in. */
export const spoken: ReadonlyArray<Language> = ["en", "es"]

export const appOf = (look: Partial<ConnectedApp> = {}): ConnectedApp => ({
  ...blankApp,
  id: LoginPolicyId.make("lpl_1"),
  realmId,
  name: "Acme",
  subdomain: "acme",
  createdAt: at,
  ...look
})

/** Somebody at an app of a realm. `said`: what stands wherever people can write. */
export const visitOf = (
  language: Language,
  said = "Acme Rockets",
  look: Partial<ConnectedApp> = {},
  settings: Partial<Realm> = {}
): AppVisit => ({
  texts: texts[language],
  catalogue: speaking([language]),
  realm: { ...defaultSettings("v2"), name: said, id: realmId, createdAt: at, clearing: null, ...settings },
  app: appOf(look)
})

const userOf = (said: string): User => ({
  id: UserId.make("usr_1"),
  realmId,
  userType: "human",
  state: "active",
  email: said,
  emailPending: said,
  emailVerification: "none",
  username: said,
  firstName: said,
  lastName: said,
  name: said,
  locale: null,
  reference: null,
  custom: {},
  createdAt: at,
  lastLoginAt: null
})

/** The pages of an app that carry something along, each with its name, as they are when everything on them is `said`. */
export const carrying = (
  visit: AppVisit,
  said: string,
  carried: Readonly<Record<string, string>>,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, Page>> => {
  const demands = { leastLength: 8, requiredChars: ["upper", "digit"] } as const
  const providers = [
    { id: "apr_1", providerType: "google", name: null },
    { id: "apr_2", providerType: "github", name: null },
    { id: "apr_3", providerType: "oauth2", name: said },
    { id: "apr_4", providerType: "oauth2", name: null }
  ]
  const login = { carried, name: said, passwords: true, providers, signUp: "signup" } as const
  const values = { username: said, email: said, first_name: said, last_name: said, org_name: said }
  const signup = { carried, values, usernames: true, demands, confirmation: true, providers } as const
  const accounts = [
    { orgId: "org_1", name: said },
    { orgId: "org_2", name: said }
  ]
  return {
    login: loginPage(visit, login, errors),
    loginPasswords: loginPage(visit, { ...login, providers: [], signUp: "none" }, errors),
    loginProviders: loginPage(visit, { ...login, passwords: false, signUp: "request" }, errors),
    continue: continuePage(visit, { carried, name: said }),
    code: codePage(visit, { page: "login", carried, login: said, again: "login" }, errors),
    signup: signupPage(visit, { ...signup, names: "required", org: "required" }, errors),
    signupLeast: signupPage(
      visit,
      { ...signup, usernames: false, confirmation: false, names: "optional", org: "none", providers: [] },
      errors
    ),
    preverify: preverifyPage(visit, { carried, values: { email: said } }, errors),
    request: requestPage(visit, { carried, values: { email: said } }, errors),
    signupClosed: signupClosedPage(visit, carried),
    forgot: forgotPage(visit, { carried, name: said }, errors),
    sentForgot: sentPage(visit, { carried, kind: "forgot", to: said }),
    sentPreverify: sentPage(visit, { carried, kind: "preverify", to: said }),
    sentRequest: sentPage(visit, { carried, kind: "request", to: said }),
    sentVerification: sentPage(visit, { carried, kind: "verification", to: said }),
    accounts: accountsPage(visit, { carried, accounts, invites: true })
  }
}

/** The other pages of an app. */
export const staying = (
  visit: AppVisit,
  said: string,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, Page>> => {
  const demands = { leastLength: 8, requiredChars: [] }
  const user = userOf(said)
  const devices = [
    { id: "crd_1", name: said },
    { id: "crd_2", name: "" }
  ]
  const view: ProfileView = {
    user,
    saved: undefined,
    hasPassword: true,
    demands,
    secondStep: true,
    devices,
    orgs: true,
    invites: true
  }
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  const device = {
    id: "crd_3",
    name: said,
    secret,
    svg: provisioningSvg(provisioningUri(secret, "Acme Rockets", said))
  }
  const values = { email: said, org_id: "org_1" }
  const org = { id: "org_1", name: said }
  const plain = { ...view, devices: [], user: { ...user, emailPending: null } }
  return {
    profile: profilePage(visit, { ...view, saved: "details" }, { details: errors }),
    profilePassword: profilePage(visit, plain, { password: errors }),
    profileDevice: profilePage(visit, view, { device: errors }),
    profileRemoving: profilePage(visit, { ...view, removing: "crd_1" }, { device: errors }),
    profileLeast: profilePage(visit, { ...plain, secondStep: false, hasPassword: false, orgs: false, invites: false }),
    enrol: enrolPage(visit, device, errors),
    accountsNone: accountsPage(visit, { carried: {}, accounts: [], invites: false }),
    inviteOrgs: invitePage(visit, { orgs: [org, { ...org, id: "org_2" }], values }, errors),
    inviteOrg: invitePage(visit, { orgs: [org], values }, errors),
    inviteNone: invitePage(visit, { orgs: [], values }),
    invite: invitePage(visit, { orgs: undefined, values }, errors),
    invited: invitedPage(visit, { email: said }),
    logout: logoutPage(visit, { name: said }),
    loggedOut: loggedOutPage(visit),
    verify: verifyPage(visit, "tok", said, errors),
    verified: verifiedPage(visit, said),
    reset: resetPage(visit, "tok", { user, demands }, errors),
    resetDone: resetDonePage(visit),
    tooMany: tooMany(visit.texts, 90),
    noApp: troubled(visit.texts, "no_app", 404)
  }
}
