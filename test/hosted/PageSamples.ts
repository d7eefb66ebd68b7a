import { DateTime } from "effect"
import { creationOptions, loginOptions } from "#api/credentials/PasskeySamples"
import { catalogueFor } from "#api/Messages"
import { provisioningSvg, provisioningUri } from "#core/tokens/Totp"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { defaultAppSettings } from "#domain/ConnectedAppInput"
import { AppId, RealmId, UserId } from "#domain/Ids"
import type { Locale } from "#domain/Locale"
import { defaultSettings, type Realm } from "#domain/Realm"
import { secondFactors } from "#domain/SecondFactor"
import type { User } from "#domain/User"
import type { View } from "#hosted/markup/Document"
import { emailSentView } from "#hosted/markup/EmailSentView"
import type { FieldError } from "#hosted/markup/Fields"
import { mfaCodeView } from "#hosted/markup/MfaCodeView"
import { problemView, rateLimitedView } from "#hosted/markup/Notices"
import type { OfferedProvider } from "#hosted/markup/ProviderLinks"
import type { AppPageContext } from "#hosted/PageContext"
import { accountsView } from "#hosted/pages/accounts/AccountsView"
import { keepLinkView, scheduledNoticeView } from "#hosted/pages/deletion/DeletionView"
import { forgotView } from "#hosted/pages/forgot/ForgotView"
import { invitationSentView, inviteView } from "#hosted/pages/invitation/InviteView"
import { continueView, loginView } from "#hosted/pages/login/LoginView"
import { loggedOutView, logoutView } from "#hosted/pages/logout/LogoutView"
import { passkeyView } from "#hosted/pages/passkey/PasskeyView"
import { type Profile, profileView } from "#hosted/pages/profile/ProfileView"
import { resetDoneView, resetView } from "#hosted/pages/reset/ResetView"
import { appsSection } from "#hosted/pages/security/AppsView"
import { deletionSection } from "#hosted/pages/security/DeletionView"
import { deviceSetupView } from "#hosted/pages/security/DeviceSetupView"
import { devicesSection } from "#hosted/pages/security/DevicesView"
import { passwordSection } from "#hosted/pages/security/PasswordView"
import { type SecurityState, securityView } from "#hosted/pages/security/SecurityView"
import { preverifyView, requestAccessView, signupClosedView, signupView } from "#hosted/pages/signup/SignupView"
import { verifiedView, verifyView } from "#hosted/pages/verify/VerifyView"
import { en, type Texts } from "#hosted/texts/en"
import { es } from "#hosted/texts/es"

const at = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const realmId = RealmId.make("rl_1")

const texts: Readonly<Record<Locale, Texts>> = { en, es }

export const appOf = (look: Partial<ConnectedApp> = {}): ConnectedApp => ({
  ...defaultAppSettings,
  id: AppId.make("lpl_1"),
  realmId,
  name: "Acme",
  subdomain: "acme",
  createdAt: at,
  ...look
})

/** A visit to an app of a realm, with `sampleText` wherever users can enter text. */
export const visitOf = (
  language: Locale,
  sampleText = "Acme Rockets",
  look: Partial<ConnectedApp> = {},
  settings: Partial<Realm> = {}
): AppPageContext => ({
  texts: texts[language],
  catalogue: catalogueFor([language]),
  realm: { ...defaultSettings("v2"), name: sampleText, id: realmId, createdAt: at, pendingReset: null, ...settings },
  app: appOf(look)
})

/** A user with `sampleText` in every text. */
export const userOf = (sampleText: string): User => ({
  id: UserId.make("usr_1"),
  realmId,
  userType: "human",
  state: "active",
  email: sampleText,
  emailPending: sampleText,
  emailVerification: "none",
  provedEmail: null,
  username: sampleText,
  firstName: sampleText,
  lastName: sampleText,
  name: sampleText,
  locale: null,
  reference: null,
  custom: {},
  createdAt: at,
  lastLoginAt: null,
  deletionAt: null
})

/** The app's pages that pass parameters on, by name, with `sampleText` in every text. */
export const pagesWithParameters = (
  visit: AppPageContext,
  sampleText: string,
  carried: Readonly<Record<string, string>>,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, View>> => {
  const passwordRequirements = { minLength: 8, requiredChars: ["upper", "digit"] } as const
  const providers: ReadonlyArray<OfferedProvider> = [
    { id: "apr_1", providerType: "google", name: null },
    { id: "apr_2", providerType: "github", name: null },
    { id: "apr_3", providerType: "oauth2", name: sampleText },
    { id: "apr_4", providerType: "oauth2", name: null }
  ]
  const login = {
    flow: carried,
    name: sampleText,
    passwords: true,
    passkeys: true,
    pages: "https://app.example.test",
    providers,
    signUp: "signup"
  } as const
  const values = {
    username: sampleText,
    email: sampleText,
    first_name: sampleText,
    last_name: sampleText,
    org_name: sampleText
  }
  const signup = {
    flow: carried,
    values,
    usernames: true,
    passwordRequirements,
    confirmation: true,
    providers
  } as const
  const accounts = [
    { orgId: "org_1", name: sampleText },
    { orgId: "org_2", name: sampleText }
  ]
  const [requested, created] = [loginOptions.options, creationOptions.options]
  const step = { page: "login", flow: carried, login: sampleText, restart: "login", offers: secondFactors }
  return {
    login: loginView(visit, login, errors),
    loginPasswords: loginView(visit, { ...login, providers: [], signUp: "none" }, errors),
    loginProviders: loginView(visit, { ...login, passwords: false, signUp: "request" }, errors),
    loginAgain: loginView(visit, { ...login, person: userOf(sampleText) }, errors),
    continue: continueView(visit, { flow: carried, name: sampleText }),
    code: mfaCodeView(visit, { ...step, by: "totp" }, errors),
    recoveryCode: mfaCodeView(visit, { ...step, by: "recovery_codes" }, errors),
    passkeyStep: mfaCodeView(
      visit,
      { ...step, by: "passkey", passkey: { token: sampleText, options: requested } },
      errors
    ),
    newPasskey: passkeyView(
      visit,
      { flow: carried, isOffer: false, options: { token: sampleText, options: created }, name: sampleText },
      errors
    ),
    passkeyOffer: passkeyView(
      visit,
      { flow: carried, isOffer: true, options: { token: sampleText, options: created }, name: "" },
      errors
    ),
    deletionNotice: scheduledNoticeView(visit, carried, at),
    emailCode: mfaCodeView(visit, { ...step, by: "email_code" }, errors),
    signup: signupView(visit, { ...signup, names: "required", org: "required" }, errors),
    signupLeast: signupView(
      visit,
      { ...signup, usernames: false, confirmation: false, names: "optional", org: "none", providers: [] },
      errors
    ),
    preverify: preverifyView(visit, { flow: carried, values: { email: sampleText } }, errors),
    request: requestAccessView(visit, { flow: carried, values: { email: sampleText } }, errors),
    signupClosed: signupClosedView(visit, carried),
    forgot: forgotView(visit, { flow: carried, name: sampleText }, errors),
    sentForgot: emailSentView(visit, { flow: carried, kind: "forgot", to: sampleText }),
    sentPreverify: emailSentView(visit, { flow: carried, kind: "preverify", to: sampleText }),
    sentRequest: emailSentView(visit, { flow: carried, kind: "request", to: sampleText }),
    sentVerification: emailSentView(visit, { flow: carried, kind: "verification", to: sampleText }),
    accounts: accountsView(visit, {
      flow: carried,
      accounts: accounts.map((one, index) => ({ ...one, isCurrent: index === 0 }))
    })
  }
}

/** The app's other pages. */
export const pagesWithoutParameters = (
  visit: AppPageContext,
  sampleText: string,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, View>> => {
  const passwordRequirements = { minLength: 8, requiredChars: [] }
  const user = userOf(sampleText)
  const devices = [
    { id: "crd_1", name: sampleText },
    { id: "crd_2", name: "" }
  ]
  const view: Profile = {
    user,
    saved: undefined,
    asksPassword: true,
    hasSeveralOrgs: true,
    org: { name: sampleText },
    mayInvite: true
  }
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  const device = {
    id: "crd_3",
    name: sampleText,
    secret,
    svg: provisioningSvg(provisioningUri(secret, "Acme Rockets", sampleText))
  }
  const values = { email: sampleText, org_id: "org_1" }
  const org = { id: "org_1", name: sampleText }
  const deletion = { scheduledAt: null, asksPassword: true, username: sampleText }
  const offer = { at, isImmediate: false, orgs: [] }
  const secured = (sections: SecurityState["sections"], hasErrors = errors.length > 0): View =>
    securityView(visit, { user, saved: "password", sections, hasErrors })
  return {
    profile: profileView(visit, { ...view, saved: "details" }, errors),
    profileLeast: profileView(visit, {
      ...view,
      user: { ...user, emailPending: null },
      asksPassword: false,
      hasSeveralOrgs: false,
      mayInvite: false
    }),
    securityPassword: secured([
      passwordSection(visit, { user, hasPassword: true, passwordRequirements }, errors),
      devicesSection(visit, { devices: [], username: sampleText, asksPassword: true }, [])
    ]),
    securityNoPassword: secured([passwordSection(visit, { user, hasPassword: false, passwordRequirements }, errors)]),
    securityDevice: secured([devicesSection(visit, { devices, username: sampleText, asksPassword: true }, errors)]),
    securityRemoving: secured([
      devicesSection(visit, { devices, username: sampleText, asksPassword: true, removing: "crd_1" }, errors)
    ]),
    securityDeletion: secured([deletionSection(visit, { ...deletion, offer }, errors)]),
    securityDeletionAtOnce: secured([
      deletionSection(visit, { ...deletion, offer: { ...offer, isImmediate: true } }, errors)
    ]),
    securityOwner: secured([deletionSection(visit, { ...deletion, offer: { ...offer, orgs: [sampleText, "Acme"] } })]),
    securityDeleting: secured([deletionSection(visit, { ...deletion, scheduledAt: at, offer: undefined })]),
    securityLeast: secured([undefined], false),
    enrol: deviceSetupView(visit, device, errors),
    accountsNone: accountsView(visit, { flow: {}, accounts: [] }),
    inviteOrgs: inviteView(visit, { orgs: [org, { ...org, id: "org_2" }], values }, errors),
    inviteOrg: inviteView(visit, { orgs: [org], values }, errors),
    inviteNone: inviteView(visit, { orgs: [], values }),
    invite: inviteView(visit, { orgs: undefined, values }, errors),
    invited: invitationSentView(visit, { email: sampleText }),
    logout: logoutView(visit, { name: sampleText, client: null, secret: undefined }),
    logoutAsked: logoutView(visit, { name: sampleText, client: sampleText, secret: "olr_1" }),
    securityApps: secured([
      appsSection(visit, {
        items: [{ id: AppId.make("lpl_2"), name: sampleText, scopes: ["openid"], since: at, lastUsedAt: at }],
        more: true
      })
    ]),
    loggedOut: loggedOutView(visit),
    deletionLink: keepLinkView(visit, "tok", at),
    verify: verifyView(visit, "tok", sampleText, errors),
    verified: verifiedView(visit, sampleText, false),
    verifiedHere: verifiedView(visit, sampleText, true),
    reset: resetView(visit, "tok", { user, passwordRequirements }, errors),
    resetDone: resetDoneView(visit),
    tooMany: rateLimitedView(visit.texts, 90),
    noApp: problemView(visit.texts, "no_app", 404)
  }
}
