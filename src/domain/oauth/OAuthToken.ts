import type { DateTime } from "effect"
import type { GrantId, RealmId } from "../Ids.ts"

/** The beginnings of the secrets that OAuth clients are given; each is followed by 43 characters of base62. */
export const oauthSecrets = { code: "oac_", refreshToken: "ort_", deviceCode: "odc_" } as const

/** Whether a text has the form of such a secret. */
export const isOAuthSecret = (kind: keyof typeof oauthSecrets, text: string): boolean =>
  text.startsWith(oauthSecrets[kind]) && /^[0-9A-Za-z]{43}$/.test(text.slice(oauthSecrets[kind].length))

/** The media type in the header of access tokens (RFC 9068 §2.1). No other token of a realm has it. */
export const ACCESS_TOKEN_TYPE = "at+jwt"

/** The media type in the header of ID tokens, which login tokens have, too. Those alone have the claim `rid`. */
export const ID_TOKEN_TYPE = "JWT"

/** How long an ID token is valid, in seconds: long enough to be read once. */
export const ID_TOKEN_SECONDS = 600

/** How long the loser of a race of refreshes gets the result of the winner, in seconds. */
export const REFRESH_GRACE_SECONDS = 30

/** A refresh token as it is stored. `id`: its digest. */
export interface RefreshToken {
  readonly id: string
  readonly realmId: RealmId
  readonly grantId: GrantId
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** When the token was exchanged for its successor. Null: it has not been. */
  readonly usedAt: DateTime.Utc | null
  /** What its successor is derived from, together with the token itself. */
  readonly salt: string | null
}
