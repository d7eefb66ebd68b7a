import { Struct } from "effect"
import type { ExternalType } from "./AuthProvider.ts"
import { type CredentialType, socialTypes } from "./Credential.ts"
import type { Purpose } from "./OneTimeToken.ts"
import type { SessionEnd } from "./Session.ts"

/** The changes that may revoke access to an account. Each maps to the reason recorded for the sessions it ends. */
export const accountChanges = {
  taken_over: "email_verified",
  password_reset: "password_reset",
  password_changed: "password_changed",
  deactivated: "user_inactive",
  deleted: "user_deleted"
} as const satisfies Readonly<Record<string, SessionEnd>>

export type AccountChange = keyof typeof accountChanges

/**
 * How an account change affects a means of access: it ends (`ends`), stays usable (`stays`), or is rejected until the user
 * is active again (`refused`).
 */
export type AccessOutcome = "ends" | "stays" | "refused"

type Outcomes = Readonly<Record<AccountChange, AccessOutcome>>

const endedByEveryChange: Outcomes = {
  taken_over: "ends",
  password_reset: "ends",
  password_changed: "ends",
  deactivated: "ends",
  deleted: "ends"
}

/** A login method other than the password. It survives a password change and works again when the user is reactivated. */
const loginMethod: Outcomes = {
  ...endedByEveryChange,
  password_reset: "stays",
  password_changed: "stays",
  deactivated: "refused"
}

/**
 * The effect of each account change on every means of access, including pending ones (C262, SEC-244). A password reset by
 * email counts as a takeover if the account's email was never verified. A user who changes their password may keep their
 * sessions, and with them the OAuth grants.
 */
export const accountAccess = {
  password: { ...endedByEveryChange, deactivated: "refused" },
  // API users have no mailbox and no password.
  api_keys: { ...loginMethod, taken_over: "stays" },
  passkeys: loginMethod,
  authenticator_apps: loginMethod,
  external_profiles: loginMethod,
  sessions: endedByEveryChange,
  oauth_grants: endedByEveryChange,
  oauth_consents: loginMethod,
  known_browsers: { ...endedByEveryChange, deactivated: "refused" },
  trusted_devices: endedByEveryChange,
  pending_logins: endedByEveryChange,
  password_resets: endedByEveryChange,
  email_verifications: loginMethod,
  email_changes: { ...endedByEveryChange, deactivated: "refused" },
  email_codes: endedByEveryChange,
  passkey_challenges: endedByEveryChange
} as const satisfies Readonly<Record<string, Outcomes>>

export type AccessKind = keyof typeof accountAccess

/**
 * The kind of access each one-time token purpose gives. The type requires an entry for every new purpose. A link that cancels
 * the deletion of an account gives no access.
 */
const kindOfPurpose: Readonly<Record<Exclude<Purpose, "account_deletion">, AccessKind>> = {
  login: "pending_logins",
  password_reset: "password_resets",
  email_verification: "email_verifications",
  email_change: "email_changes",
  email_code: "email_codes"
}

const kindOfCredential: Readonly<Record<Exclude<CredentialType, ExternalType>, AccessKind>> = {
  password: "password",
  api_key: "api_keys",
  passkey: "passkeys",
  totp: "authenticator_apps",
  recovery_codes: "authenticator_apps"
}

/** Returns whether a change revokes this kind of access. */
export const endsAccess = (change: AccountChange, kind: AccessKind): boolean => accountAccess[kind][change] === "ends"

/** The kinds of access that a change revokes. */
export const kindsEndedBy = (change: AccountChange): ReadonlyArray<AccessKind> =>
  Struct.keys(accountAccess).filter((kind) => endsAccess(change, kind))

const keysEndedBy = <Key extends string>(kinds: Readonly<Record<Key, AccessKind>>, change: AccountChange) =>
  Struct.keys(kinds).filter((key) => endsAccess(change, kinds[key]))

/** The purposes whose one-time tokens a change revokes. */
export const purposesRevokedBy = (change: AccountChange): ReadonlyArray<Purpose> => keysEndedBy(kindOfPurpose, change)

/** The credential types that a change revokes. */
export const credentialsEndedBy = (change: AccountChange): ReadonlyArray<CredentialType> => [
  ...keysEndedBy(kindOfCredential, change),
  ...(endsAccess(change, "external_profiles") ? socialTypes : [])
]

/** The reasons for deleting all of a user's sessions that also revoke all the user's grants to OAuth clients (C178). */
export const grantEndingReasons: ReadonlySet<SessionEnd> = new Set(
  Struct.keys(accountChanges)
    .filter((change) => endsAccess(change, "oauth_grants"))
    .map((change) => accountChanges[change])
)
