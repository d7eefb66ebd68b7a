import { Struct } from "effect"
import type { ExternalType } from "./AuthProvider.ts"
import { type CredentialType, socialTypes } from "./Credential.ts"
import type { Purpose } from "./OneTimeToken.ts"
import type { SessionEnd } from "./Session.ts"

/**
 * The changes that can pass an account to someone else or disable it, each with the reason recorded for the sessions that end.
 */
export const accountChanges = {
  taken_over: "email_verified",
  password_reset: "password_reset",
  password_changed: "password_changed",
  deactivated: "user_inactive",
  deleted: "user_deleted"
} as const satisfies Readonly<Record<string, SessionEnd>>

export type AccountChange = keyof typeof accountChanges

/**
 * The effect of an account change on a means of access: it ends (`ends`), it stays usable (`stays`), or it stays but is
 * rejected while the user is inactive (`refused`).
 */
export type AccessOutcome = "ends" | "stays" | "refused"

type Outcomes = Readonly<Record<AccountChange, AccessOutcome>>

const always: Outcomes = {
  taken_over: "ends",
  password_reset: "ends",
  password_changed: "ends",
  deactivated: "ends",
  deleted: "ends"
}

/** A login method other than the password. It survives a new password, and works again once the user is active again. */
const method: Outcomes = { ...always, password_reset: "stays", password_changed: "stays", deactivated: "refused" }

/**
 * Every means of access to an account, pending ones included, with the effect of each change on it (C262, SEC-244). A password
 * reset by email counts as a takeover if the account's email was never verified. A password change may keep sessions, and with
 * them their OAuth grants.
 */
export const accountAccess = {
  password: { ...always, deactivated: "refused" },
  // API users have no mailbox and no password.
  api_keys: { ...method, taken_over: "stays" },
  passkeys: method,
  authenticator_apps: method,
  external_profiles: method,
  sessions: always,
  oauth_grants: always,
  oauth_consents: method,
  known_browsers: { ...always, deactivated: "refused" },
  pending_logins: always,
  password_resets: always,
  email_verifications: method,
  email_changes: { ...always, deactivated: "refused" },
  email_codes: always,
  passkey_challenges: always
} as const satisfies Readonly<Record<string, Outcomes>>

export type AccessKind = keyof typeof accountAccess

/** The kind of access that each purpose of one-time tokens gives. The type requires an entry for every new purpose. */
const kindOfPurpose: Readonly<Record<Purpose, AccessKind>> = {
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

/** Whether a change ends this kind of access. */
export const endsAccess = (change: AccountChange, kind: AccessKind): boolean => accountAccess[kind][change] === "ends"

/** The kinds of access that a change ends. */
export const endedKinds = (change: AccountChange): ReadonlyArray<AccessKind> =>
  Struct.keys(accountAccess).filter((kind) => endsAccess(change, kind))

const endedOf = <Key extends string>(kinds: Readonly<Record<Key, AccessKind>>, change: AccountChange) =>
  Struct.keys(kinds).filter((key) => endsAccess(change, kinds[key]))

/** The purposes whose one-time tokens a change revokes. */
export const revokedPurposes = (change: AccountChange): ReadonlyArray<Purpose> => endedOf(kindOfPurpose, change)

/** The types of credentials that a change ends. */
export const endedCredentials = (change: AccountChange): ReadonlyArray<CredentialType> => [
  ...endedOf(kindOfCredential, change),
  ...(endsAccess(change, "external_profiles") ? socialTypes : [])
]

/** The reasons for ending all sessions of a user that also end all their grants to OAuth clients (C178). */
export const endsAllGrants: ReadonlySet<SessionEnd> = new Set(
  Struct.keys(accountChanges)
    .filter((change) => endsAccess(change, "oauth_grants"))
    .map((change) => accountChanges[change])
)
