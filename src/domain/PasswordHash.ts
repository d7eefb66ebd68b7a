import { formats, unsupportedHash } from "./HashFormats.ts"
import type { HashProblem, ParsedHash } from "./ParsedHash.ts"

export type { HashProblem, ParsedHash } from "./ParsedHash.ts"

/** The parameters for hashing passwords with argon2id. Memory is in KiB, lengths are in bytes. */
export interface Argon2Params {
  readonly memory: number
  readonly passes: number
  readonly lanes: number
  readonly saltLength: number
  readonly digestLength: number
}

/** The parameters of new hashes (C23). */
export const standardParams: Argon2Params = { memory: 19_456, passes: 2, lanes: 1, saltLength: 16, digestLength: 32 }

/** Faster parameters for tests, which take a twentieth of the time. */
export const testParams: Argon2Params = { ...standardParams, memory: 512, passes: 1 }

const maximumLength = 1_024

/**
 * Parses a password hash of any accepted format (C22). A hash that would take more than about 256 MiB or half a second to
 * verify is rejected as out of range (SEC-16, SEC-89), and any other string as unsupported. Never throws.
 */
export const parsePasswordHash = (text: string): ParsedHash | HashProblem => {
  if (text.length > maximumLength) return unsupportedHash
  for (const { pattern, read } of formats) {
    const match = pattern.exec(text)
    if (match !== null) return read(match.slice(1))
  }
  return unsupportedHash
}

/** Returns whether the result of `parsePasswordHash` is a hash. */
export const isParsed = (parsed: ParsedHash | HashProblem): parsed is ParsedHash => "format" in parsed

/** Validates an imported hash. Returns undefined if it can be verified. */
export const checkImportedHash = (text: string): HashProblem | undefined => {
  const parsed = parsePasswordHash(text)
  return isParsed(parsed) ? undefined : parsed
}

/** Returns whether a stored hash uses the current parameters. Other hashes are replaced at the next login (C22). */
export const isCurrentHash = (text: string, cost: Argon2Params = standardParams): boolean => {
  const parsed = parsePasswordHash(text)
  if (!isParsed(parsed) || parsed.format !== "argon2") return false
  const { type, version, memory, passes, lanes, salt, digest } = parsed
  return (
    type === "argon2id" &&
    version === 19 &&
    memory === cost.memory &&
    passes === cost.passes &&
    lanes === cost.lanes &&
    salt.length === cost.saltLength &&
    digest.length === cost.digestLength
  )
}
