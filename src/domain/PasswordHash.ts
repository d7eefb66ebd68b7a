import { formats, unsupported } from "./HashFormats.ts"
import type { HashProblem, ParsedHash } from "./ParsedHash.ts"

export type { HashProblem, ParsedHash } from "./ParsedHash.ts"

/** What a hash of our own costs: argon2id, memory in KiB, lengths in bytes. */
export interface HashCost {
  readonly memory: number
  readonly passes: number
  readonly lanes: number
  readonly saltLength: number
  readonly digestLength: number
}

/** What our own hashes cost (decision 23). */
export const currentCost: HashCost = { memory: 19_456, passes: 2, lanes: 1, saltLength: 16, digestLength: 32 }

/** What they cost where nobody's password is at stake: the same, in a twentieth of the time. For tests only. */
export const trialCost: HashCost = { ...currentCost, memory: 512, passes: 1 }

const maximumLength = 1_024

/**
 * Reads a password hash of any form we accept (decision 22). One that would take more than about 256 MiB and half a
 * second to verify is out of range (SEC-16, SEC-89); a text that is none of them, or is cut off, is unsupported. Never
 * throws.
 */
export const parsePasswordHash = (text: string): ParsedHash | HashProblem => {
  if (text.length > maximumLength) return unsupported
  for (const { pattern, read } of formats) {
    const match = pattern.exec(text)
    if (match !== null) return read(match.slice(1))
  }
  return unsupported
}

/** Whether a text was read, and can be verified. */
export const isParsed = (parsed: ParsedHash | HashProblem): parsed is ParsedHash => "format" in parsed

/** What is wrong with an imported hash; undefined for one that we can verify. */
export const checkImportedHash = (text: string): HashProblem | undefined => {
  const parsed = parsePasswordHash(text)
  return isParsed(parsed) ? undefined : parsed
}

/** Whether a stored hash is as we make them today: any other one is renewed at the next login (decision 22). */
export const isCurrentHash = (text: string, cost: HashCost = currentCost): boolean => {
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
