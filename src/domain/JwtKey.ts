import type { DateTime } from "effect"
import type { JwtKeyId, RealmId } from "./Ids.ts"

export const jwtAlgorithms = ["hs256", "rs256"] as const

export type JwtAlgorithm = (typeof jwtAlgorithms)[number]

/** A key that signs a realm's tokens. `secret`: the hs256 secret, or the RSA private key as PKCS 8 PEM. */
export interface JwtKey {
  readonly id: JwtKeyId
  readonly realmId: RealmId
  readonly algo: JwtAlgorithm
  readonly publicKey: string | null
  readonly secret: string
  readonly createdAt: DateTime.Utc
  readonly expiredAt: DateTime.Utc | null
}

/** What verifies the key's tokens: the secret itself (hs256) or the public key (rs256), as `jwt_key` shows it. */
export const verifyingKey = (key: JwtKey): string => (key.algo === "hs256" ? key.secret : (key.publicKey ?? ""))

/** For how long a retired key still verifies, in minutes: max(6 h, min(session_minutes, 24 h)) (decision 32). */
export const graceMinutes = (sessionMinutes: number): number => Math.max(6 * 60, Math.min(sessionMinutes, 24 * 60))
