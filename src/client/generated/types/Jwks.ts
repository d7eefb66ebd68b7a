// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A jwks. */
export interface Jwks {
  /**
   * The realm's public keys (RFC 7517): current and future signing keys, and expired ones as long as they verify. Empty
   * if the realm has only hs256 keys, which are secret.
   */
  readonly keys: ReadonlyArray<{
    /** The key's ID, as in the `kid` header of tokens and in `/v2/jwt_keys`. */
    readonly kid: string
    /** The type of key: always `RSA`. */
    readonly kty: string
    /** The algorithm of its signatures: always `RS256`. */
    readonly alg: string
    /** The use of the key: always `sig` (signatures). */
    readonly use: string
    /** The modulus, in Base64url. */
    readonly n: string
    /** The public exponent, in Base64url. */
    readonly e: string
    /** The same key in a list with one element, its SPKI in Base64, for older client libraries. */
    readonly x5c: ReadonlyArray<string>
  }>
}
