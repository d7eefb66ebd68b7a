import { Struct } from "effect"
import type { CredentialType } from "./Credential.ts"
import type { Purpose } from "./OneTimeToken.ts"
import type { SessionEnd } from "./Session.ts"

/** What may change whose account it is, or whether it is anybody's, each with the reason for which sessions end. */
export const accountChanges = {
  taken_over: "email_verified",
  password_reset: "password_reset",
  password_changed: "password_changed",
  deactivated: "user_inactive",
  deleted: "user_deleted"
} as const satisfies Readonly<Record<string, SessionEnd>>

export type AccountChange = keyof typeof accountChanges

/**
 * What becomes of something that lets somebody in: it is over (`ends`), it is kept (`stays`), or it is kept and refused as long as
 * the user is inactive (`refused`).
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

/** A login method besides the password: a new password replaces none, and whoever is active again has it still. */
const method: Outcomes = { ...always, password_reset: "stays", password_changed: "stays", deactivated: "refused" }

/**
 * Everything that lets somebody into an account, or is begun and would: what each change does to it (C262, SEC-244). A reset by
 * mail of an account that was never proved is a takeover, too. A changed password may keep sessions, and with them the grants.
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

/** Each purpose of a one-time token, so that the compiler asks for that of a new one. */
const kindOfPurpose: Readonly<Record<Purpose, AccessKind>> = {
  login: "pending_logins",
  password_reset: "password_resets",
  email_verification: "email_verifications",
  email_change: "email_changes",
  email_code: "email_codes"
}

const kindOfCredential: Readonly<Record<CredentialType, AccessKind>> = {
  password: "password",
  api_key: "api_keys",
  passkey: "passkeys",
  totp: "authenticator_apps",
  recovery_codes: "authenticator_apps",
  facebook: "external_profiles",
  github: "external_profiles",
  google: "external_profiles",
  linkedin: "external_profiles",
  oauth2: "external_profiles",
  slack: "external_profiles",
  yahoo: "external_profiles"
}

/** Whether a change ends what is of this kind. */
export const endsAccess = (change: AccountChange, kind: AccessKind): boolean => accountAccess[kind][change] === "ends"

/** The kinds that a change ends. */
export const endedKinds = (change: AccountChange): ReadonlyArray<AccessKind> =>
  Struct.keys(accountAccess).filter((kind) => endsAccess(change, kind))

const endedOf = <Key extends string>(kinds: Readonly<Record<Key, AccessKind>>, change: AccountChange) =>
  Struct.keys(kinds).filter((key) => endsAccess(change, kinds[key]))

/** The purposes whose one-time tokens a change revokes. */
export const revokedPurposes = (change: AccountChange): ReadonlyArray<Purpose> => endedOf(kindOfPurpose, change)

/** The credentials that a change ends. */
export const endedCredentials = (change: AccountChange): ReadonlyArray<CredentialType> =>
  endedOf(kindOfCredential, change)

/** The ends of all of a user's sessions with which all of their grants to OAuth clients end, too (C178). */
export const endsAllGrants: ReadonlySet<SessionEnd> = new Set(
  Struct.keys(accountChanges)
    .filter((change) => endsAccess(change, "oauth_grants"))
    .map((change) => accountChanges[change])
)
