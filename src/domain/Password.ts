import { Data } from "effect"

/** Too many password hashes are waiting to be computed (C23). */
export class HashingBusy extends Data.TaggedError("HashingBusy")<{ readonly retryAfterSeconds: number }> {}

/** The reason a password is rejected. `minimum` and `maximum` are in Unicode code points. */
export type PasswordProblem =
  | { readonly code: "blank" | "invalid"; readonly params: {} }
  | { readonly code: "too_short"; readonly params: { readonly minimum: number } }
  | { readonly code: "too_long"; readonly params: { readonly maximum: number } }

const MIN_LENGTH = 8
const MAX_LENGTH = 512
// In UTF-16 units. Longer strings are rejected without normalizing them.
const MAX_RAW_LENGTH = 4096

/**
 * The normalized form of a password, which is measured and hashed. It makes different ways of typing the same characters
 * equal (NIST SP 800-63B).
 */
export const normalizedPassword = (password: string): string => password.normalize("NFKC")

/** Validates a new password. A minimum length below 8 is treated as 8 (C23, SEC-01). */
export const checkPassword = (
  password: string,
  rules: { readonly minLength: number }
): ReadonlyArray<PasswordProblem> => {
  if (password === "") return [{ code: "blank", params: {} }]
  if (password.length > MAX_RAW_LENGTH) return [{ code: "too_long", params: { maximum: MAX_LENGTH } }]
  if (password.includes("\0") || !password.isWellFormed()) return [{ code: "invalid", params: {} }]
  const length = Array.from(normalizedPassword(password)).length
  const minimum = Math.max(MIN_LENGTH, rules.minLength)
  if (length > MAX_LENGTH) return [{ code: "too_long", params: { maximum: MAX_LENGTH } }]
  return length < minimum ? [{ code: "too_short", params: { minimum } }] : []
}

/**
 * Returns whether a string could be an existing password, including older passwords that are now too short. Other strings
 * are never hashed (SEC-04).
 */
export const isHashable = (password: string): boolean =>
  checkPassword(password, { minLength: MIN_LENGTH }).every(({ code }) => code === "too_short")
