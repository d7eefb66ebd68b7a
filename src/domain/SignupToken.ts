import { Data, type DateTime } from "effect"
import type { RealmId } from "./Ids.ts"

/** The data of a person who has not finished signing up (`v1.user_token`). `id` is the SHA-256 of the token. */
export interface SignupToken {
  readonly id: string
  readonly realmId: RealmId
  readonly username: string | null
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly passwordHash: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

export class SignupTokenNotFound extends Data.TaggedError("SignupTokenNotFound") {}
