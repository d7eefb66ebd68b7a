import { checkPassword } from "./Password.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical } from "./Text.ts"

/** Kinds of characters that a realm can demand. */
export const characterKinds = ["lower", "upper", "digit", "symbol"] as const

export type CharacterKind = (typeof characterKinds)[number]

/** What a realm's `password` provider demands of new passwords (decisions 18, 23). */
export interface PasswordPolicy {
  readonly minLength: number
  readonly preset: "none" | "nist"
  readonly requiredChars: ReadonlyArray<CharacterKind>
}

export const defaultPolicy: PasswordPolicy = { minLength: 8, preset: "none", requiredChars: [] }

/** Whose password it is to be, as far as a guesser would know. */
export interface PasswordOwner {
  readonly email: string | null
  readonly username: string | null
  readonly firstName: string | null
  readonly lastName: string | null
}

/** The shortest word that a password may not hold. */
const LEAST_WORD = 4

/** The shortest password of NIST 800-63B: alone, and beside a second factor. */
const NIST_LENGTH = 15
const NIST_LENGTH_WITH_SECOND_FACTOR = 8

/** The words that a guesser tries first: the realm's name, the names, what stands before the `@`; whole and in parts. */
export const contextWords = (owner: PasswordOwner, realmName: string): ReadonlyArray<string> => {
  const local = owner.email?.split("@", 1)[0] ?? null
  const texts = [realmName, local, owner.username, owner.firstName, owner.lastName].flatMap((text) =>
    text === null ? [] : [canonical(text)]
  )
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => Array.from(word).length >= LEAST_WORD)
}

const isOfKind: Readonly<Record<CharacterKind, (text: string) => boolean>> = {
  lower: (text) => /\p{Ll}/u.test(text),
  upper: (text) => /\p{Lu}/u.test(text),
  digit: (text) => /\p{Nd}/u.test(text),
  symbol: (text) => /[^\p{L}\p{N}]/u.test(text)
}

/** The shortest password a realm takes of a user. */
export const leastLength = ({ minLength, preset }: PasswordPolicy, secondFactor: boolean): number =>
  preset === "none" ? minLength : Math.max(minLength, secondFactor ? NIST_LENGTH_WITH_SECOND_FACTOR : NIST_LENGTH)

/** What can be said of a new password before it is chosen. */
export interface PasswordDemands {
  readonly leastLength: number
  readonly requiredChars: ReadonlyArray<CharacterKind>
}

export const demandsOf = (policy: PasswordPolicy, secondFactor: boolean): PasswordDemands => ({
  leastLength: leastLength(policy, secondFactor),
  requiredChars: policy.requiredChars
})

/** Everything that is wrong with a new password, save that it may be a common one (SEC-01, SEC-02). */
export const passwordProblems = (
  password: string,
  policy: PasswordPolicy,
  words: ReadonlyArray<string>,
  secondFactor: boolean
): ReadonlyArray<Problem> => {
  const wrong = checkPassword(password, { minLength: leastLength(policy, secondFactor) })
  const problems = wrong.map(({ code, params }) => problem("password", code, params))
  if (wrong.some(({ code }) => code !== "too_short")) return problems
  const missing = policy.requiredChars.filter((kind) => !isOfKind[kind](password))
  problems.push(...missing.map((kind) => problem("password", `needs_${kind}`)))
  const typed = canonical(password)
  if (words.some((word) => typed.includes(word))) problems.push(problem("password", "context_word"))
  return problems
}
