import { Data, type DateTime } from "effect"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "./Ids.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isWithin, TEXT_LENGTH } from "./Text.ts"
import type { User } from "./User.ts"

export const socialTypes = ["facebook", "github", "google", "linkedin", "oauth2", "slack", "yahoo"] as const

export const credentialTypes = ["api_key", "password", "totp", ...socialTypes] as const

export type CredentialType = (typeof credentialTypes)[number]

export type SocialType = (typeof socialTypes)[number]

export const isSocial = (type: CredentialType): type is SocialType => socialTypes.some((social) => social === type)

/** How many credentials of one type a user may have (SEC-102). */
export const MOST_OF_TYPE = 20

/** Whose credentials are of this type (decision 22). */
export const ownerOf = (type: CredentialType): User["userType"] => (type === "api_key" ? "api" : "human")

/** The word that asks for an API key to be made. */
export const GENERATE = "generate"

const LEAST_KEY = 20
const LEAST_DIFFERENT = 10

/** What is wrong with an API key that a caller made up: it must take long to guess (SEC-46). */
export const assignedKeyProblems = (key: string): ReadonlyArray<Problem> => {
  if (!/^[\x21-\x7e]+$/.test(key)) return [problem("api_key", "key_form")]
  if (!isWithin(TEXT_LENGTH, key)) return [problem("api_key", "too_long", { maximum: TEXT_LENGTH })]
  if (key.length < LEAST_KEY) return [problem("api_key", "too_short", { minimum: LEAST_KEY })]
  if (new Set(key).size < LEAST_DIFFERENT) return [problem("api_key", "too_simple", { least: LEAST_DIFFERENT })]
  return []
}

/** What a user logs in with, as a user read shows it. */
export interface Credential {
  readonly id: CredentialId
  readonly userId: UserId
  readonly credentialType: CredentialType
}

/**
 * A credential with what belongs to its type (api-v1 section 2); null where it does not. `secret`: a TOTP secret in
 * base32, an API key that may be read again, a provider's access token. `state`: of a TOTP device.
 */
export interface CredentialDetails extends Credential {
  readonly realmId: RealmId
  readonly name: string | null
  readonly state: "new" | "active" | null
  readonly authProviderId: AuthProviderId | null
  readonly secret: string | null
  readonly providerUserId: string | null
  readonly tokenExpiresAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
}

/** A password credential given at user creation: the password, or the hash of it from elsewhere (decision 22). */
export type NewPassword = { readonly password: string } | { readonly passwordHash: string }

export class CredentialNotFound extends Data.TaggedError("CredentialNotFound")<{ readonly id: string }> {}
