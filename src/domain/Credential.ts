import { Data, type DateTime } from "effect"
import { type ExternalType, externalTypes } from "./AuthProvider.ts"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "./Ids.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isWithin, TEXT_LENGTH } from "./Text.ts"
import type { User } from "./User.ts"

/** The types of credentials at external providers, named after the provider types. */
export const socialTypes: ReadonlyArray<ExternalType> = externalTypes.toSorted()

/**
 * The types of credentials that callers can supply with a new user. Recovery codes are excluded because only the service
 * generates them. Passkeys are excluded because they are bound to the user's id in this service (C135).
 */
export const portableTypes = ["api_key", "password", "totp", ...socialTypes] as const

export type PortableType = (typeof portableTypes)[number]

export const credentialTypes = ["api_key", "password", "totp", "passkey", "recovery_codes", ...socialTypes] as const

export type CredentialType = (typeof credentialTypes)[number]

export const isSocial = (type: CredentialType): type is ExternalType => socialTypes.some((social) => social === type)

/** The maximum number of credentials of one type per user (SEC-102). */
export const MAX_CREDENTIALS_PER_TYPE = 20

/** The user type that may have credentials of this type (C22). */
export const ownerTypeOf = (type: CredentialType): User["userType"] => (type === "api_key" ? "api" : "human")

/** The value that makes the service generate an API key. */
export const GENERATE = "generate"

const MIN_KEY_LENGTH = 20
const MIN_DISTINCT_CHARACTERS = 10

/** Validates an API key chosen by the caller. It must be hard to guess (SEC-46). */
export const customKeyProblems = (key: string): ReadonlyArray<Problem> => {
  if (!/^[\x21-\x7e]+$/.test(key)) return [problem("api_key", "key_form")]
  if (!isWithin(TEXT_LENGTH, key)) return [problem("api_key", "too_long", { maximum: TEXT_LENGTH })]
  if (key.length < MIN_KEY_LENGTH) return [problem("api_key", "too_short", { minimum: MIN_KEY_LENGTH })]
  if (new Set(key).size < MIN_DISTINCT_CHARACTERS)
    return [problem("api_key", "too_simple", { least: MIN_DISTINCT_CHARACTERS })]
  return []
}

/** A credential as shown in a user's list of credentials. */
export interface Credential {
  readonly id: CredentialId
  readonly userId: UserId
  readonly credentialType: CredentialType
}

/**
 * A credential with the fields of its type (`v1.credential`). Fields of other types are null. `secret` is a TOTP secret in
 * base32, a readable API key, or a provider's access token. `state` is set for TOTP devices, `codesLeft` for recovery
 * codes.
 */
export interface CredentialDetails extends Credential {
  readonly realmId: RealmId
  readonly name: string | null
  readonly state: "new" | "active" | null
  readonly authProviderId: AuthProviderId | null
  readonly secret: string | null
  readonly providerUserId: string | null
  readonly tokenExpiresAt: DateTime.Utc | null
  readonly codesLeft: number | null
  readonly createdAt: DateTime.Utc
}

/** A password for a new user, in plain text or as a hash imported from another system (C22). */
export type PasswordInput = { readonly password: string } | { readonly passwordHash: string }

export class CredentialNotFound extends Data.TaggedError("CredentialNotFound")<{ readonly id: string }> {}
