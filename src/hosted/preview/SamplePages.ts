import { ExternalLoginRefused } from "#domain/ExternalLogin"
import { WrongCode } from "#domain/Login"
import type { PreviewedPage } from "#domain/PreviewedPage"
import { problem, Rejected } from "#domain/Rejected"
import { formRefusalOf } from "../Errors.ts"
import { secondStepRefusal } from "../flow/SecondStep.ts"
import type { View } from "../markup/Document.ts"
import { emailSentView } from "../markup/EmailSentView.ts"
import { type MfaStep, mfaCodeView } from "../markup/MfaCodeView.ts"
import { endView, problemView, rateLimitedView } from "../markup/Notices.ts"
import { accountsView } from "../pages/accounts/AccountsView.ts"
import { accountChoiceView, consentView } from "../pages/authorize/AuthorizeViews.ts"
import { codeEntryView, codeRequestView } from "../pages/code/CodeView.ts"
import { keepLinkView } from "../pages/deletion/DeletionView.ts"
import { codeView, decidedView, deviceConsentView } from "../pages/device/DeviceViews.ts"
import { forgotView } from "../pages/forgot/ForgotView.ts"
import { acceptInvitationView, invitationAcceptedView } from "../pages/invitation/AcceptInvitationView.ts"
import { inviteView } from "../pages/invitation/InviteView.ts"
import { usedInvitationView } from "../pages/invitation/UsedInvitationView.ts"
import { continueView } from "../pages/login/LoginView.ts"
import { loggedOutView, logoutView } from "../pages/logout/LogoutView.ts"
import { passkeyView } from "../pages/passkey/PasskeyView.ts"
import { profileView } from "../pages/profile/ProfileView.ts"
import { resetDoneView, resetView } from "../pages/reset/ResetView.ts"
import { deletedView } from "../pages/security/DeletionView.ts"
import { deviceSetupView } from "../pages/security/DeviceSetupView.ts"
import { newRecoveryCodesView } from "../pages/security/RecoveryCodesView.ts"
import { providerFailureView } from "../pages/social/ProviderFailure.ts"
import { leaveView, memberView } from "../pages/team/MemberView.ts"
import { verifiedView, verifyView } from "../pages/verify/VerifyView.ts"
import { sampleCodes, sampleDeletion, sampleSecurity, sampleTeam, sampleWrongPassword } from "./SampleAccount.ts"
import type { Sample } from "./SampleData.ts"

/** The email address that the user has typed. */
export const SAMPLE_EMAIL = "ada@example.com"

const TOKEN = "sample"

/** The wait after too many attempts, in seconds. */
const RETRY_SECONDS = 90

const secondStep = (by: MfaStep["by"]): MfaStep => ({
  page: "login",
  flow: {},
  login: TOKEN,
  by,
  offers: ["totp", "recovery_codes"],
  restart: "login"
})

const providerFailed = ({ context, linkedProvider, otherProvider }: Sample): View => {
  const failure = new ExternalLoginRefused({
    problem: problem(null, "provider_denied"),
    providerId: linkedProvider.id,
    retryUrl: "login",
    started: undefined,
    userEmail: null,
    user: undefined
  })
  const providers = [linkedProvider, otherProvider]
  return providerFailureView(context, failure, { passwords: true, passkeys: true, emailCodes: false, providers })
}

/** The pages that show only sample data. The other pages depend on the realm's login methods. */
export const samplePages: {
  readonly [Page in Exclude<PreviewedPage, "login" | "login_failed" | "signup">]: (sample: Sample) => View
} = {
  code_request: ({ context }) => codeRequestView(context, { flow: {}, name: "" }),
  email_code: ({ context }) => codeEntryView(context, { flow: {}, name: SAMPLE_EMAIL, login: TOKEN }),
  code_failed: ({ context }) => {
    const { errors } = secondStepRefusal(context, new WrongCode(), "email_code")
    return codeEntryView(context, { flow: {}, name: SAMPLE_EMAIL, login: TOKEN }, errors)
  },
  second_factor: ({ context }) => mfaCodeView(context, secondStep("totp")),
  recovery_code: ({ context }) => mfaCodeView(context, secondStep("recovery_codes")),
  enrolment: ({ context, authenticator: app, passkeyOptions: passkey }) =>
    mfaCodeView(context, { ...secondStep("totp"), enrolment: { app, passkey } }),
  passkey: ({ context, passkeyOptions: options }) =>
    passkeyView(context, { flow: {}, isOffer: true, options, name: "" }),
  provider_failed: providerFailed,
  accounts: ({ context, orgs }) =>
    accountsView(context, {
      flow: {},
      accounts: orgs.map(({ id, name }, index) => ({ orgId: id, name, isCurrent: index === 0 }))
    }),
  continue: ({ context, user }) => continueView(context, { flow: {}, name: user.name }),
  logout: ({ context, user }) => logoutView(context, { name: user.name, client: null, secret: undefined }),
  logged_out: ({ context }) => loggedOutView(context),

  email_sent: ({ context }) => emailSentView(context, { flow: {}, kind: "verification", to: SAMPLE_EMAIL }),
  verify: ({ context }) => verifyView(context, TOKEN, SAMPLE_EMAIL),
  verified: ({ context }) => verifiedView(context, SAMPLE_EMAIL, true),
  invitation: ({ context, invited }) => acceptInvitationView(context, TOKEN, invited, { way: "signup" }),
  invitation_login: ({ context, invited }) => acceptInvitationView(context, TOKEN, invited, { way: "login" }),
  invitation_accepted: ({ context, invited }) => invitationAcceptedView(context, invited),

  forgot: ({ context }) => forgotView(context, { flow: {}, name: "" }),
  reset: ({ context, ...shown }) => resetView(context, TOKEN, shown),
  reset_failed: ({ context, ...shown }) => {
    const rejected = new Rejected({
      problems: [
        problem("password", "too_short", { minimum: shown.passwordRequirements.minLength }),
        problem("password_confirmation", "unmatched")
      ]
    })
    return resetView(context, TOKEN, shown, formRefusalOf(context, rejected).errors)
  },
  reset_done: ({ context }) => resetDoneView(context),

  profile: ({ context, user }) =>
    profileView(context, {
      user,
      saved: undefined,
      asksPassword: true,
      hasSeveralOrgs: false,
      org: undefined,
      mayInvite: context.app.allowInvitations && context.realm.orgMode === "multi_user"
    }),
  security: sampleSecurity,
  password_failed: sampleWrongPassword,
  authenticator: ({ context, authenticator }) =>
    deviceSetupView(context, { ...authenticator, id: "crd_phone", name: "Phone" }),
  recovery_codes: ({ context }) => newRecoveryCodesView(context, sampleCodes),
  deletion_scheduled: sampleDeletion,
  deletion_link: ({ context, deletionAt }) => keepLinkView(context, TOKEN, deletionAt),
  deleted: ({ context }) => deletedView(context),

  team: sampleTeam,
  team_member: ({ teamContext, orgs: [org], members: [own, member] }) =>
    memberView(teamContext, { team: { org, own }, member, refusedWay: undefined }),
  team_leave: ({ teamContext, orgs: [org], members: [, own] }) => leaveView(teamContext, { org, own }, true, {}),
  invite: ({ context }) => inviteView(context, { orgs: undefined, values: { email: "", org_id: "" } }),

  consent: ({ context, request, user }) => consentView(context, { flow: {}, request, user }),
  account_choice: ({ context, request, user }) => accountChoiceView(context, { flow: {}, request, user }),
  device: ({ context, device }) => codeView(context, device.device.userCode),
  device_consent: ({ context, device, user }) => deviceConsentView(context, device, user),
  device_done: ({ context }) => decidedView(context, "approved"),

  link_expired: ({ context }) => endView(context, "reset", 410),
  invitation_used: ({ context }) => usedInvitationView(context),
  too_many: ({ context }) => rateLimitedView(context.texts, RETRY_SECONDS, "login"),
  problem: ({ context }) => problemView(context.texts, "nowhere", 404)
}
