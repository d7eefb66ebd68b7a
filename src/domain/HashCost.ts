import type { DigestName, ParsedHash } from "./ParsedHash.ts"
import { type Argon2Params, standardParams } from "./PasswordHash.ts"

/**
 * The cost of verifying a hash, measured as argon2 memory (KiB) times passes. Other algorithms are converted by measured
 * time and rounded down. Cheaper hashes are padded to the standard cost, so that timing reveals nothing (SEC-95).
 */
type Cost = number

const pbkdf2Iteration: Readonly<Record<DigestName, Cost>> = { sha1: 0.4, sha256: 0.4, sha512: 1.2 }
const BCRYPT_ROUND = 180
const SCRYPT_BLOCK = 0.9
const PHPASS_ROUND = 4

/** The cost of computing a hash once. */
export const costOf = (hash: ParsedHash): Cost => {
  switch (hash.format) {
    case "argon2":
      return hash.memory * hash.passes
    case "bcrypt":
      return 2 ** hash.cost * BCRYPT_ROUND
    case "scrypt":
    case "firebase":
      return hash.cost.N * hash.cost.r * hash.cost.p * SCRYPT_BLOCK
    case "pbkdf2":
      return hash.iterations * pbkdf2Iteration[hash.digestName]
    case "phpass":
      return hash.rounds * PHPASS_ROUND
    case "ssha":
      return 0
  }
}

/** The cost of a hash with the given parameters. */
export const standardCost = ({ memory, passes }: Pick<Argon2Params, "memory" | "passes">): Cost => memory * passes

/** The argon2 memory, in KiB, needed to pad a cheaper hash to the standard cost. 0 if the hash is expensive enough. */
export const paddingMemory = (hash: ParsedHash, params: Argon2Params): number => {
  const missing = standardCost(params) - costOf(hash)
  return missing <= 0 ? 0 : Math.max(8 * params.lanes, Math.ceil(missing / params.passes))
}

/**
 * Returns whether a hash costs several times the standard. Such hashes are never allowed to occupy all the verification
 * slots (SEC-89).
 */
export const isExpensive = (hash: ParsedHash): boolean => costOf(hash) > 8 * standardCost(standardParams)
