import { checkPassword } from "./Password.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical } from "./Text.ts"

/** The kinds of characters a realm can require in passwords. */
export const characterKinds = ["lower", "upper", "digit", "symbol"] as const

export type CharacterKind = (typeof characterKinds)[number]

/** A realm's rules for new passwords (C18, C23). */
export interface PasswordPolicy {
  readonly minLength: number
  readonly preset: "none" | "nist"
  readonly requiredChars: ReadonlyArray<CharacterKind>
}

export const defaultPolicy: PasswordPolicy = { minLength: 8, preset: "none", requiredChars: [] }

/** The facts about a password's owner that an attacker may know. */
export interface PasswordOwner {
  readonly email: string | null
  readonly username: string | null
  readonly firstName: string | null
  readonly lastName: string | null
}

/** The minimum length of the words that passwords must not contain. */
const MIN_WORD_LENGTH = 4

/** The minimum lengths from NIST SP 800-63B, without and with a second factor. */
const NIST_LENGTH = 15
const NIST_LENGTH_WITH_SECOND_FACTOR = 8

/**
 * The words an attacker would try first: the realm's name, the user's names, and the local part of their email. Includes
 * both whole strings and their parts.
 */
export const contextWords = (owner: PasswordOwner, realmName: string): ReadonlyArray<string> => {
  const local = owner.email?.split("@", 1)[0] ?? null
  const texts = [realmName, local, owner.username, owner.firstName, owner.lastName].flatMap((text) =>
    text === null ? [] : [canonical(text)]
  )
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => Array.from(word).length >= MIN_WORD_LENGTH)
}

const isOfKind: Readonly<Record<CharacterKind, (text: string) => boolean>> = {
  lower: (text) => /\p{Ll}/u.test(text),
  upper: (text) => /\p{Lu}/u.test(text),
  digit: (text) => /\p{Nd}/u.test(text),
  symbol: (text) => /[^\p{L}\p{N}]/u.test(text)
}

/** The minimum length of a user's password. */
export const minLengthFor = ({ minLength, preset }: PasswordPolicy, secondFactor: boolean): number =>
  preset === "none" ? minLength : Math.max(minLength, secondFactor ? NIST_LENGTH_WITH_SECOND_FACTOR : NIST_LENGTH)

/** The requirements to show to a user who chooses a password. */
export interface PasswordRequirements {
  readonly minLength: number
  readonly requiredChars: ReadonlyArray<CharacterKind>
}

export const requirementsOf = (policy: PasswordPolicy, secondFactor: boolean): PasswordRequirements => ({
  minLength: minLengthFor(policy, secondFactor),
  requiredChars: policy.requiredChars
})

/** Validates a new password, except against the list of common passwords (SEC-01, SEC-02). */
export const passwordProblems = (
  password: string,
  policy: PasswordPolicy,
  words: ReadonlyArray<string>,
  secondFactor: boolean
): ReadonlyArray<Problem> => {
  const found = checkPassword(password, { minLength: minLengthFor(policy, secondFactor) })
  const problems = found.map(({ code, params }) => problem("password", code, params))
  if (found.some(({ code }) => code !== "too_short")) return problems
  const missing = policy.requiredChars.filter((kind) => !isOfKind[kind](password))
  problems.push(...missing.map((kind) => problem("password", `needs_${kind}`)))
  const typed = canonical(password)
  if (words.some((word) => typed.includes(word))) problems.push(problem("password", "context_word"))
  return problems
}
