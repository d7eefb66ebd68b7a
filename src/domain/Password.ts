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

/** Why a password hash of another system is refused (decision 22). */
export type HashProblem = "unsupported_hash" | "hash_parameters_out_of_range"

const base64 = String.raw`((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048])?)`
const phc = new RegExp(
  String.raw`^\$argon2(?:id|i|d)(?:\$v=(?:16|19))?\$m=(\d+),t=(\d+),p=(\d+)\$${base64}\$${base64}$`
)

const within = (value: number, least: number, most: number): boolean => value >= least && value <= most

const decodedLength = (text: string): number => Math.floor((text.length * 3) / 4)

/**
 * What is wrong with an imported hash; undefined for an argon2id, argon2i or argon2d PHC string that costs at most
 * 256 MiB, 10 passes and 8 lanes to verify (SEC-16), with 8 to 48 bytes of salt and 16 to 64 of hash.
 */
export const checkImportedHash = (text: string): HashProblem | undefined => {
  const [, m, t, p, salt = "", hash = ""] = (text.length <= 512 && phc.exec(text)) || []
  if (m === undefined) return "unsupported_hash"
  const lanes = Number(p)
  const bounded =
    within(lanes, 1, 8) &&
    within(Number(m), 8 * lanes, 262_144) &&
    within(Number(t), 1, 10) &&
    within(decodedLength(salt), 8, 48) &&
    within(decodedLength(hash), 16, 64)
  return bounded ? undefined : "hash_parameters_out_of_range"
}
