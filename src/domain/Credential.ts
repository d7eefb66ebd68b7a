import type { CredentialId, UserId } from "./Ids.ts"

/** What a user logs in with, as a user read shows it. */
export interface Credential {
  readonly id: CredentialId
  readonly userId: UserId
  readonly credentialType: string
}

/** A password credential given at user creation: the password, or the hash of it from elsewhere (decision 22). */
export type NewPassword = { readonly password: string } | { readonly passwordHash: string }
