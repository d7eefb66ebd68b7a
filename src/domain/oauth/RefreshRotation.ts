import { DateTime } from "effect"
import { REFRESH_GRACE_SECONDS, type RefreshToken } from "./OAuthToken.ts"

/**
 * The outcome of presenting a refresh token. `rotate`: it is replaced by a new one. `repeat`: another request has just
 * replaced it, so this one gets the same new token. `reused`: it was replaced some time ago, so somebody has a copy.
 * `expired`: it is too old.
 */
export type RefreshDecision =
  | { readonly _tag: "rotate" }
  | { readonly _tag: "repeat"; readonly salt: string }
  | { readonly _tag: "reused" }
  | { readonly _tag: "expired" }

/** Decides the outcome when a client presents a refresh token (RFC 9700 §4.14.2). */
export const decideRefresh = (
  { expiresAt, usedAt, salt }: Pick<RefreshToken, "expiresAt" | "usedAt" | "salt">,
  now: DateTime.Utc
): RefreshDecision => {
  if (usedAt !== null) {
    const isRace = DateTime.isLessThanOrEqualTo(now, DateTime.add(usedAt, { seconds: REFRESH_GRACE_SECONDS }))
    return isRace && salt !== null ? { _tag: "repeat", salt } : { _tag: "reused" }
  }
  return DateTime.isGreaterThan(expiresAt, now) ? { _tag: "rotate" } : { _tag: "expired" }
}
