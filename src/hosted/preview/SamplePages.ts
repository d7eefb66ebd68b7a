import type { PasswordRequirements } from "#domain/PasswordPolicy"
import type { PreviewedPage } from "#domain/PreviewedPage"
import type { User } from "#domain/User"
import type { View } from "../markup/Document.ts"
import { emailSentView } from "../markup/EmailSentView.ts"
import { mfaCodeView } from "../markup/MfaCodeView.ts"
import { problemView } from "../markup/Notices.ts"
import type { AppPageContext } from "../PageContext.ts"
import { accountsView } from "../pages/accounts/AccountsView.ts"
import { codeEntryView } from "../pages/code/CodeView.ts"
import { codeView } from "../pages/device/DeviceViews.ts"
import { forgotView } from "../pages/forgot/ForgotView.ts"
import { inviteView } from "../pages/invitation/InviteView.ts"
import { logoutView } from "../pages/logout/LogoutView.ts"
import { passkeyView } from "../pages/passkey/PasskeyView.ts"
import { profileView } from "../pages/profile/ProfileView.ts"
import { resetView } from "../pages/reset/ResetView.ts"
import { passwordSection } from "../pages/security/PasswordView.ts"
import { securityView } from "../pages/security/SecurityView.ts"
import { verifiedView, verifyView } from "../pages/verify/VerifyView.ts"

/** The data of the sample pages. */
export interface Sample {
  readonly context: AppPageContext
  readonly user: User
  readonly passwordRequirements: PasswordRequirements
}

/** The email address of the sample user. */
const EMAIL = "ada@example.com"

const TOKEN = "sample"

const accounts = [
  { orgId: "org_1", name: "Analytical Engines", isCurrent: true },
  { orgId: "org_2", name: "Lovelace & Co.", isCurrent: false }
]

/** The pages that show only sample data. The other pages depend on the realm's login methods. */
export const samplePages: {
  readonly [Page in Exclude<PreviewedPage, "login" | "signup">]: (sample: Sample) => View
} = {
  email_code: ({ context }) => codeEntryView(context, { flow: {}, name: EMAIL, login: TOKEN }),
  second_factor: ({ context }) =>
    mfaCodeView(context, {
      page: "login",
      flow: {},
      login: TOKEN,
      by: "totp",
      offers: ["totp", "recovery_codes"],
      restart: "login"
    }),
  email_sent: ({ context }) => emailSentView(context, { flow: {}, kind: "verification", to: EMAIL }),
  verify: ({ context }) => verifyView(context, TOKEN, EMAIL),
  verified: ({ context }) => verifiedView(context, EMAIL, true),
  forgot: ({ context }) => forgotView(context, { flow: {}, name: "" }),
  reset: ({ context, ...shown }) => resetView(context, TOKEN, shown),
  passkey: ({ context }) => passkeyView(context, { flow: {}, isOffer: true, options: undefined, name: "" }),
  device: ({ context }) => codeView(context, "WDJBMJHT"),
  accounts: ({ context }) => accountsView(context, { flow: {}, accounts }),
  profile: ({ context, user }) =>
    profileView(context, {
      user,
      saved: undefined,
      asksPassword: true,
      hasSeveralOrgs: false,
      org: undefined,
      mayInvite: context.app.allowInvitations && context.realm.orgMode === "multi_user"
    }),
  password: ({ context, user, passwordRequirements }) =>
    securityView(context, {
      user,
      saved: undefined,
      sections: [passwordSection(context, { user, hasPassword: true, passwordRequirements }, [])],
      hasErrors: false
    }),
  invite: ({ context }) => inviteView(context, { orgs: undefined, values: { email: "", org_id: "" } }),
  logout: ({ context, user }) => logoutView(context, { name: user.name, client: null, secret: undefined }),
  problem: ({ context }) => problemView(context.texts, "nowhere", 404)
}
