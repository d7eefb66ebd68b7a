import type { DigestName, ParsedHash } from "./ParsedHash.ts"
import { currentCost, type HashCost } from "./PasswordHash.ts"

/**
 * What work is counted in: KiB of memory times passes of argon2. What others do is measured in the time that argon2 takes
 * for as much, and rounded down: by what is missing they are made to take as long as our own (SEC-95).
 */
type Work = number

const pbkdf2Iteration: Readonly<Record<DigestName, Work>> = { sha1: 0.4, sha256: 0.4, sha512: 1.2 }
const BCRYPT_ROUND = 180
const SCRYPT_BLOCK = 0.9
const PHPASS_ROUND = 4

/** What it takes to compute a hash once. */
export const workOf = (hash: ParsedHash): Work => {
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

/** The same of a hash of our own. */
export const workOfOurs = ({ memory, passes }: Pick<HashCost, "memory" | "passes">): Work => memory * passes

/** The memory in KiB that an argon2 of our passes and lanes takes to add the work that is missing; 0 where none is. */
export const missingMemory = (hash: ParsedHash, ours: HashCost): number => {
  const missing = workOfOurs(ours) - workOf(hash)
  return missing <= 0 ? 0 : Math.max(8 * ours.lanes, Math.ceil(missing / ours.passes))
}

/** A hash that takes as long as several of ours: those don't take all the slots at once (SEC-89). */
export const isCostly = (hash: ParsedHash): boolean => workOf(hash) > 8 * workOfOurs(currentCost)
