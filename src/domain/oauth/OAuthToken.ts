import type { DateTime } from "effect"
import type { GrantId, RealmId } from "../Ids.ts"

/** The prefixes of the secrets that OAuth clients receive. Each prefix is followed by 43 characters of base62. */
export const oauthSecrets = { code: "oac_", refreshToken: "ort_", deviceCode: "odc_" } as const

/** Whether a text has the form of this kind of secret. */
export const isOAuthSecret = (kind: keyof typeof oauthSecrets, text: string): boolean =>
  text.startsWith(oauthSecrets[kind]) && /^[0-9A-Za-z]{43}$/.test(text.slice(oauthSecrets[kind].length))

/** The media type in the header of access tokens (RFC 9068 §2.1). No other token of a realm has it. */
export const ACCESS_TOKEN_TYPE = "at+jwt"

/** The media type in the header of ID tokens. Login tokens have it too, but only they have the claim `rid`. */
export const ID_TOKEN_TYPE = "JWT"

/** How long an ID token is valid, in seconds: long enough to be read once. */
export const ID_TOKEN_SECONDS = 600

/** How long the loser of a race between refreshes gets the winner's result, in seconds. */
export const REFRESH_GRACE_SECONDS = 30

/** A stored refresh token. `id`: its digest. */
export interface RefreshToken {
  readonly id: string
  readonly realmId: RealmId
  readonly grantId: GrantId
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** When the token was exchanged for its successor. Null: not yet. */
  readonly usedAt: DateTime.Utc | null
  /** The value from which its successor is derived, together with the token itself. */
  readonly salt: string | null
}
