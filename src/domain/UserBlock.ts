import type { DateTime } from "effect"
import type { RealmLimitName } from "./Limit.ts"

/** The operations from which a user can be blocked. */
export const blockedOperations = ["password", "code", "email_code", "device_code", "email"] as const

/**
 * Why a user is blocked: too many wrong passwords or codes (C24), or a rate limit that counts this user or their address
 * (C45).
 */
export const blockReasons = ["failed_attempts", "rate_limit"] as const

/** A reason for which a user can't log in for a while, or can't be sent emails. Deactivation is not a block. */
export interface UserBlock {
  readonly blocks: (typeof blockedOperations)[number]
  readonly reason: (typeof blockReasons)[number]
  /** The rate limit, if it is the reason. */
  readonly limit: RealmLimitName | null
  /** Whether the block concerns only one browser in which the user has logged in before (SEC-108). */
  readonly onlyInBrowser: boolean
  readonly endsAt: DateTime.Utc
}
