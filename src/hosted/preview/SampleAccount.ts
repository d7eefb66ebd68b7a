import { CODES_PER_SET, RECOVERY_CODE_BYTES, recoveryCodeOf } from "#domain/RecoveryCode"
import { problem, Rejected } from "#domain/Rejected"
import type { Html } from "#platform/Html"
import { formRefusalOf } from "../Errors.ts"
import type { View } from "../markup/Document.ts"
import type { FieldErrors } from "../markup/Fields.ts"
import { appsSection } from "../pages/security/AppsView.ts"
import { deletionSection } from "../pages/security/DeletionView.ts"
import { devicesSection } from "../pages/security/DevicesView.ts"
import { passkeysSection } from "../pages/security/PasskeysView.ts"
import { passwordSection } from "../pages/security/PasswordView.ts"
import { providersSection } from "../pages/security/ProvidersView.ts"
import { recoveryCodesSection } from "../pages/security/RecoveryCodesView.ts"
import { securityView } from "../pages/security/SecurityView.ts"
import { sessionsSection } from "../pages/security/SessionsView.ts"
import { teamView } from "../pages/team/TeamView.ts"
import type { Sample } from "./SampleData.ts"

/** Recovery codes in their format, for nobody's account. */
export const sampleCodes: ReadonlyArray<string> = Array.from({ length: CODES_PER_SET }, (_, index) =>
  recoveryCodeOf(Uint8Array.from({ length: RECOVERY_CODE_BYTES }, (_byte, place) => 37 * (index + 1) + 11 * place))
)

const USED_CODES = 2

const security = ({ context, user }: Sample, sections: ReadonlyArray<Html | undefined>, hasErrors = false): View =>
  securityView(context, { user, saved: undefined, sections, hasErrors })

const passwordPart = ({ context, user, passwordRequirements }: Sample, errors: FieldErrors): Html =>
  passwordSection(context, { user, hasPassword: true, passwordRequirements }, errors)

/** The security page with all its sections, also those that the realm has turned off. */
export const sampleSecurity = (sample: Sample): View => {
  const { context, user, passkeys, sessions, apps, linkedProvider, otherProvider, deletionAt } = sample
  const username = user.email ?? ""
  const offer = { at: deletionAt, isImmediate: false, orgs: [] }
  return security(sample, [
    passwordPart(sample, []),
    passkeysSection(context, { passkeys }, []),
    devicesSection(context, { devices: [{ id: "crd_phone", name: "Phone" }], asksPassword: true, username }, []),
    recoveryCodesSection(context, CODES_PER_SET - USED_CODES),
    providersSection(context, { linked: [linkedProvider], others: [otherProvider] }, []),
    sessionsSection(context, { items: sessions, more: false, current: sessions[0].id }),
    appsSection(context, { items: apps, more: false }),
    deletionSection(context, { scheduledAt: null, offer, asksPassword: true, username })
  ])
}

/** The security page after a wrong current password. */
export const sampleWrongPassword = (sample: Sample): View => {
  const { errors } = formRefusalOf(
    sample.context,
    new Rejected({ problems: [problem("current_password", "wrong_current_password")] })
  )
  return security(sample, [passwordPart(sample, errors)], true)
}

/** The security page of a user whose account will be deleted. */
export const sampleDeletion = (sample: Sample): View => {
  const { context, deletionAt } = sample
  const state = { scheduledAt: deletionAt, offer: undefined, asksPassword: true, username: "" }
  return security(sample, [deletionSection(context, state)])
}

/** The page of a team, as its owner sees it. */
export const sampleTeam = ({ teamContext, orgs, members, invitation }: Sample): View => {
  const [engines, lovelace] = orgs
  const [own] = members
  const team = { org: engines, own }
  return teamView(teamContext, {
    teams: [team, { org: lovelace, own }],
    team,
    members: { items: members, more: false },
    search: "",
    after: "",
    invitations: { items: [invitation], more: false, isLater: false },
    mayInvite: teamContext.app.allowInvitations,
    typed: undefined
  })
}
