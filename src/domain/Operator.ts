import { Data, type DateTime } from "effect"
import type { RealmId, UserId } from "./Ids.ts"
import type { OperatorRole } from "./OperatorRole.ts"

/** A person who logs in to the console with their own account (C302). Operators are the users of the system realm. */
export interface Operator {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  /** The realm that the operator is locked to, or null for all realms. */
  readonly lockedTo: RealmId | null
  readonly createdAt: DateTime.Utc
  /** When the operator first logged in, or null if they have not accepted the invitation yet. */
  readonly acceptedAt: DateTime.Utc | null
  readonly lastLoginAt: DateTime.Utc | null
}

/** The maximum number of operators, pending invitations included. */
export const MAX_OPERATORS = 1_000

export class OperatorNotFound extends Data.TaggedError("OperatorNotFound")<{ readonly id: string }> {}
