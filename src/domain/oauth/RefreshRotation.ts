import { DateTime } from "effect"
import { REFRESH_GRACE_SECONDS, type RefreshToken } from "./OAuthToken.ts"

/**
 * The outcome of presenting a refresh token: a new one replaces it (`rotate`); it was replaced just now, and the loser of the
 * race gets the same new one (`repeat`); or it was replaced long ago, so somebody has a copy (`reused`).
 */
export type RefreshDecision =
  | { readonly _tag: "rotate" }
  | { readonly _tag: "repeat"; readonly salt: string }
  | { readonly _tag: "reused" }
  | { readonly _tag: "expired" }

/** Decides the outcome for a refresh token presented by its client (RFC 9700 §4.14.2). */
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
