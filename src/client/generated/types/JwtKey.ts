// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A JWT key. */
export interface JwtKey {
  /** The key's ID, which begins with `jky_`. It is the `kid` of the tokens that the key signs. */
  readonly id: string
  /** The type of the object: always `jwt_key`. */
  readonly object: "jwt_key"
  /** The signature algorithm: `hs256` (a shared secret) or `rs256` (RSA). */
  readonly algo: "hs256" | "rs256"
  /**
   * Whether the key is expired, and only verifies tokens for another 6 to 24 hours. An expired rs256 key signs until
   * its successor has been published for a minute.
   */
  readonly expired: boolean
  /**
   * The secret (`hs256`), used as its literal UTF-8 bytes, or the public key in PEM (`rs256`); null if it can no longer
   * be decrypted.
   */
  readonly key: string | null
  /** The purpose of the key: always `sign`. */
  readonly use: "sign"
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
}
