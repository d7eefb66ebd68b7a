import type { DateTime } from "effect"
import type { GrantId, RealmId } from "../Ids.ts"

/** The prefixes of the secrets issued to OAuth clients. Each prefix is followed by 43 base62 characters. */
export const oauthSecrets = { code: "oac_", refreshToken: "ort_", deviceCode: "odc_" } as const

/** Returns whether a string has the form of this kind of secret. */
export const isOAuthSecret = (kind: keyof typeof oauthSecrets, text: string): boolean =>
  text.startsWith(oauthSecrets[kind]) && /^[0-9A-Za-z]{43}$/.test(text.slice(oauthSecrets[kind].length))

/** The media type in the header of access tokens (RFC 9068 §2.1). No other token of a realm has it. */
export const ACCESS_TOKEN_TYPE = "at+jwt"

/** The media type in the header of ID tokens. Login tokens use it too, but only those have the claim `rid`. */
export const ID_TOKEN_TYPE = "JWT"

/** The lifetime of an ID token, in seconds. It only needs to be read once. */
export const ID_TOKEN_SECONDS = 600

/** If two refreshes race, how long the second one still gets the first one's result, in seconds. */
export const REFRESH_GRACE_SECONDS = 30

/** A stored refresh token. `id` is its digest. */
export interface RefreshToken {
  readonly id: string
  readonly realmId: RealmId
  readonly grantId: GrantId
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** When the token was exchanged for its successor, or null if it was not. */
  readonly usedAt: DateTime.Utc | null
  /** A value used, together with the token itself, to derive its successor. */
  readonly salt: string | null
}
