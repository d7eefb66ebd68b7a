/** The reason an imported password hash is rejected (C22): an unknown format or a parameter out of range. */
export type HashProblem =
  | { readonly code: "unsupported_hash"; readonly params: { readonly accepted: string } }
  | {
      readonly code: "hash_parameters_out_of_range"
      readonly params: {
        readonly format: string
        /** The parameter's name in the hash format. */
        readonly parameter: string
        readonly least: number
        readonly most: number
      }
    }

/** The hash functions that PBKDF2 and SSHA use. */
export type DigestName = "sha1" | "sha256" | "sha512"

interface Salted {
  readonly salt: Uint8Array
  readonly digest: Uint8Array
}

/** An argon2 PHC string, version 16 or 19. Memory is in KiB. */
export interface Argon2Hash extends Salted {
  readonly format: "argon2"
  readonly type: "argon2id" | "argon2i" | "argon2d"
  readonly version: number
  readonly memory: number
  readonly passes: number
  readonly lanes: number
}

/** The cost parameters of scrypt, named as in RFC 7914: N iterations, block size r, parallelism p. */
export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/**
 * A hash from another system that does not use argon2. In `firebase`, the digest is `signerKey` encrypted with the key that
 * scrypt derives.
 */
export type ForeignHash =
  | ({ readonly format: "bcrypt"; readonly cost: number } & Salted)
  | ({ readonly format: "scrypt"; readonly cost: ScryptCost } & Salted)
  | ({ readonly format: "pbkdf2"; readonly digestName: DigestName; readonly iterations: number } & Salted)
  | ({ readonly format: "phpass"; readonly rounds: number } & Salted)
  | ({ readonly format: "ssha"; readonly digestName: DigestName } & Salted)
  | ({
      readonly format: "firebase"
      readonly cost: ScryptCost
      readonly separator: Uint8Array
      readonly signerKey: Uint8Array
    } & Salted)

/** A parsed password hash: its parameters, salt, and expected digest. */
export type ParsedHash = Argon2Hash | ForeignHash
