import type { DateTime } from "effect"
import { Effect } from "effect"
import type { CredentialDetails, CredentialType, PasswordInput } from "#domain/Credential"
import { type Rejected, rejection } from "#domain/Rejected"
import type { User } from "#domain/User"
import type { RecoveryCodeSet } from "../tokens/RecoveryCodes.ts"
import type { Owner } from "./NewPasswords.ts"

/** A caller's input for a credential (`v1.credential`). Fields that the credential's type does not use are ignored. */
export interface CredentialAttributes {
  readonly password?: string
  readonly passwordHash?: string
  readonly apiKey?: string | null
  readonly name?: string | null
  readonly authProviderId?: string | null
  readonly providerUserId?: string | null
  readonly accessToken?: string | null
  readonly tokenExpiresAt?: DateTime.Utc | null
}

/** A caller's request for a credential. */
export interface CredentialRequest extends CredentialAttributes {
  readonly credentialType: CredentialType
}

/** The owner of a new credential. */
export type CredentialOwner = Owner & Pick<User, "userType">

/** A validated or generated API key. `stored` is the readable copy to store, or null if only the digest is stored. */
export interface ApiKeyDraft {
  readonly key: string
  readonly digest: Uint8Array
  readonly stored: string | null
}

/** A validated new credential with a hashed password, ready to be inserted. */
export interface CredentialDraft {
  readonly attributes: Omit<CredentialDetails, "id" | "realmId" | "userId" | "createdAt">
  readonly passwordHash: string | null
  readonly apiKey: ApiKeyDraft | null
  readonly recoveryCodes?: RecoveryCodeSet
}

/** A new credential with its API key or recovery codes. They are returned only this once, even if the realm stores them. */
export interface CreatedCredential {
  readonly credential: CredentialDetails
  readonly apiKey: string | null
  readonly recoveryCodes?: ReadonlyArray<string>
}

/** Returns the password or password hash in a credential's input, or undefined if it has neither. */
export const requestedPassword = ({
  password,
  passwordHash
}: CredentialAttributes): Effect.Effect<PasswordInput | undefined, Rejected> => {
  if (passwordHash === undefined) return Effect.succeed(password === undefined ? undefined : { password })
  return password === undefined
    ? Effect.succeed({ passwordHash })
    : Effect.fail(rejection("password_hash", "password_and_hash"))
}
