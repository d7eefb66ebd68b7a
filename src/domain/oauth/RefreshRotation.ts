import { DateTime } from "effect"
import { REFRESH_GRACE_SECONDS, type RefreshToken } from "./OAuthToken.ts"

/**
 * What follows when a refresh token is presented: another one takes its place (`rotate`); one took its place just now, and who
 * lost the race gets that one (`repeat`); one took its place long ago, so that somebody has a copy (`reused`).
 */
export type RefreshDecision =
  | { readonly _tag: "rotate" }
  | { readonly _tag: "repeat"; readonly salt: string }
  | { readonly _tag: "reused" }
  | { readonly _tag: "expired" }

/** Decides about a refresh token that is presented by its client (RFC 9700 §4.14.2). */
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
