// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A jwks. */
export interface Jwks {
  /**
   * The realm's public keys (RFC 7517): current and future signing keys, and expired ones as long as they verify. Empty
   * if the realm has only hs256 keys, which are secret.
   */
  readonly keys: ReadonlyArray<{
    /** The key's ID, as in the header `kid` of tokens and as `/v2/jwt_keys` shows it. */
    readonly kid: string
    /** The type of key: always `RSA`. */
    readonly kty: string
    /** The algorithm of its signatures: always `RS256`. */
    readonly alg: string
    /** The use of the key: always `sig`, signatures. */
    readonly use: string
    /** The modulus, in Base64url. */
    readonly n: string
    /** The public exponent, in Base64url. */
    readonly e: string
    /** The same key as one element, the Base64 of its SPKI, which older client libraries read. */
    readonly x5c: ReadonlyArray<string>
  }>
}
