import { DateTime } from "effect"
import { creationOptions } from "#api/credentials/PasskeySamples"
import type { InvitationPreview } from "#core/invitations/InvitationFlow"
import { provisioningSvg, provisioningUri } from "#core/tokens/Totp"
import { ExternalLoginRefused } from "#domain/ExternalLogin"
import { AuthProviderId, InvitationId, OrgId, UserId } from "#domain/Ids"
import { problem } from "#domain/Rejected"
import { secondFactors } from "#domain/SecondFactor"
import type { View } from "#hosted/markup/Document"
import { enrolmentView } from "#hosted/markup/EnrolmentView"
import type { FieldError } from "#hosted/markup/Fields"
import { socialProblemView } from "#hosted/markup/Notices"
import type { AppPageContext } from "#hosted/PageContext"
import {
  type AcceptStep,
  acceptInvitationView,
  invitationAcceptedView
} from "#hosted/pages/invitation/AcceptInvitationView"
import { passkeysSection } from "#hosted/pages/security/PasskeysView"
import { linkView, providersSection } from "#hosted/pages/security/ProvidersView"
import { securityView } from "#hosted/pages/security/SecurityView"
import { providerFailureView } from "#hosted/pages/social/ProviderFailure"
import { joinView, socialMfaView } from "#hosted/pages/social/SocialView"
import { possessionView, suggestResetView } from "#hosted/pages/verify/VerifyView"
import { userOf } from "./PageSamples.ts"

const refusedLogin = new ExternalLoginRefused({
  problem: problem("error", "provider_error", { error: "temporarily_unavailable" }),
  providerId: AuthProviderId.make("prv_1"),
  retryUrl: "retry",
  started: { returnTo: null, state: "x", ownPage: "profile", authorization: null, invitation: undefined },
  userEmail: undefined,
  user: undefined
})

const at = DateTime.makeUnsafe("2026-11-21T12:00:00Z")

/** The pages for visitors from an invitation, a provider or an email, by name, with `sampleText` in every text. */
export const arrivalPages = (
  visit: AppPageContext,
  sampleText: string,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, View>> => {
  const realmId = visit.realm.id
  const invitee = userOf(sampleText)
  const stranger = { ...invitee, id: UserId.make("usr_2"), email: `${sampleText} too` }
  const org = {
    id: OrgId.make("org_1"),
    realmId,
    state: "active",
    name: sampleText,
    reference: sampleText,
    custom: {},
    createdAt: at
  } as const
  const invitation = {
    id: InvitationId.make("inv_1"),
    realmId,
    invitationType: "org",
    email: sampleText,
    orgId: org.id,
    invitingUserId: invitee.id,
    isSentByMember: false,
    authProviderId: null,
    appId: null,
    permissions: [],
    locale: "en",
    createdAt: at,
    invitedAt: at,
    expiresAt: at
  } as const
  const seen: InvitationPreview = {
    invitation,
    org,
    inviter: sampleText,
    hasAccount: true,
    isMember: false,
    passwordRequirements: { minLength: 8, requiredChars: [] }
  }
  const context = { ...visit, flow: { redirect_uri: "https://app.example.test/back", state: sampleText } }
  const factors = { by: "totp", offers: secondFactors } as const
  const accept = (step: AcceptStep, of: InvitationPreview = seen) =>
    acceptInvitationView(context, sampleText, of, step, errors)
  const start = {
    returnTo: "https://app.example.test/back",
    state: sampleText,
    ownPage: null,
    authorization: null,
    invitation: sampleText,
    level: "aal1"
  } as const
  const join = { ...start, isNew: false }
  const providers = [
    { id: "apr_1", providerType: "oauth2", name: sampleText, credential: "crd_1", isRemovable: true },
    { id: "apr_2", providerType: "oauth2", name: sampleText, credential: "crd_2", isRemovable: false }
  ] as const
  const passkey = {
    id: "crd_3",
    name: sampleText,
    synced: true,
    restrictedToDomain: sampleText,
    createdAt: at,
    lastUsedAt: at
  }
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  const uri = provisioningUri(secret, "Acme Rockets", sampleText)
  const device = { id: "crd_4", name: sampleText, secret, uri, svg: provisioningSvg(uri) }
  return {
    invitationSignup: accept({ way: "signup", firstName: sampleText, lastName: sampleText, orgName: sampleText }),
    invitationPreverified: accept(
      { way: "signup", firstName: sampleText, lastName: sampleText, orgName: sampleText },
      { ...seen, invitation: { ...invitation, invitationType: "preverify", orgId: null }, org: undefined }
    ),
    invitationLogin: accept({ way: "login", name: sampleText }),
    invitationAccept: accept({ way: "accept", user: invitee }),
    invitationOfAnother: accept({ way: "accept", user: stranger }),
    invitationBelongs: accept({ way: "accept", user: stranger }, { ...seen, isMember: true }),
    invitationCode: accept({ way: "code", login: sampleText, factors }),
    invitationAccepted: invitationAcceptedView(context, seen, sampleText),
    join: joinView(
      context,
      {
        join,
        user: invitee,
        details: { email: sampleText, org: sampleText, inviter: sampleText, isLeftToInvitee: false }
      },
      "https://app.example.test/back"
    ),
    socialCode: socialMfaView(
      visit.texts,
      { ...start, login: sampleText, isInvitee: true },
      factors,
      "https://app.example.test/back",
      errors
    ),
    socialProblem: socialProblemView(visit.texts, "provider_inactive", 422, { href: "login", label: sampleText }),
    providerFailure: providerFailureView(context, refusedLogin, {
      passwords: true,
      passkeys: false,
      emailCodes: true,
      providers: [{ id: refusedLogin.providerId, providerType: "oauth2", name: sampleText }]
    }),
    possession: possessionView(
      context,
      { token: sampleText, email: sampleText, offer: { password: true, reset: true } },
      errors
    ),
    possessionLogin: possessionView(
      context,
      { token: sampleText, email: sampleText, offer: { password: false, reset: true } },
      errors
    ),
    resetInstead: suggestResetView(context, sampleText),
    enrolmentDue: enrolmentView(
      visit,
      { page: "login", flow: context.flow, login: sampleText, restart: "login" },
      { app: device, passkey: { token: sampleText, options: creationOptions.options } },
      errors
    ),
    providerLink: linkView(
      context,
      { id: "apr_1", providerType: "oauth2", name: sampleText },
      "https://sso.example.test/authorize"
    ),
    securityProviders: securityView(visit, {
      user: invitee,
      saved: "password",
      sections: [
        providersSection(context, { linked: providers, others: providers }, errors),
        passkeysSection(
          context,
          { passkeys: [passkey], refused: { id: passkey.id, way: "rename", name: sampleText } },
          errors
        )
      ],
      hasErrors: errors.length > 0
    })
  }
}
