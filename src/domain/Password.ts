import { Data } from "effect"

/** Too many hashes are waiting for a slot: try again after this many seconds (decision 23). */
export class HashingBusy extends Data.TaggedError("HashingBusy")<{ readonly retryAfterSeconds: number }> {}

/** Why a password is refused; `minimum` and `maximum` count Unicode code points. */
export type PasswordProblem =
  | { readonly code: "blank" | "invalid"; readonly params: {} }
  | { readonly code: "too_short"; readonly params: { readonly minimum: number } }
  | { readonly code: "too_long"; readonly params: { readonly maximum: number } }

const leastMinimum = 8
const maximum = 512
// A text of more UTF-16 units than this is not even normalised.
const maximumRaw = 4096

/** The form of a password that is counted and hashed, so that each way to type it is the same (NIST 800-63B). */
export const normalPassword = (password: string): string => password.normalize("NFKC")

/** What is wrong with a new password; nothing for a good one. A minimum below 8 counts as 8 (decision 23, SEC-01). */
export const checkPassword = (
  password: string,
  rules: { readonly minLength: number }
): ReadonlyArray<PasswordProblem> => {
  if (password === "") return [{ code: "blank", params: {} }]
  if (password.length > maximumRaw) return [{ code: "too_long", params: { maximum } }]
  if (password.includes("\0") || !password.isWellFormed()) return [{ code: "invalid", params: {} }]
  const length = Array.from(normalPassword(password)).length
  const minimum = Math.max(leastMinimum, rules.minLength)
  if (length > maximum) return [{ code: "too_long", params: { maximum } }]
  return length < minimum ? [{ code: "too_short", params: { minimum } }] : []
}

/** Whether a text can be anybody's password, short ones from before included: what cannot is never hashed (SEC-04). */
export const isHashable = (password: string): boolean =>
  checkPassword(password, { minLength: leastMinimum }).every(({ code }) => code === "too_short")
