import { type Problem, problem } from "./Rejected.ts"
import { isStorable } from "./Text.ts"

/**
 * Custom attributes (`v2.custom`): text, numbers, booleans, null, or arrays of those, under keys of `[A-Za-z0-9_]+`.
 */
export type Custom = Readonly<Record<string, unknown>>

/** The largest `custom`, in bytes of JSON (C10a). */
export const MAX_CUSTOM_BYTES = 16 * 1024

/** How many invalid keys are reported, and how many characters of each. */
const MAX_REPORTED_KEYS = 20
const MAX_REPORTED_KEY_LENGTH = 64

const KEY = /^[A-Za-z0-9_]+$/

const isScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && isStorable(value))

const isAllowed = (value: unknown): boolean => isScalar(value) || (Array.isArray(value) && value.every(isScalar))

const reportedKeys = (keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.slice(0, MAX_REPORTED_KEYS).map((key) => key.slice(0, MAX_REPORTED_KEY_LENGTH).toWellFormed())

/** The keys whose values have a type that `custom` does not allow. */
export const keysOfInvalidValues = (custom: object): ReadonlyArray<string> =>
  reportedKeys(Object.entries(custom).flatMap(([key, value]) => (isAllowed(value) ? [] : [key])))

const problemsOf = (keys: ReadonlyArray<string>, code: string): ReadonlyArray<Problem> =>
  keys.map((key) => problem(`custom.${key}`, code, { key }))

/** The rules that custom attributes break. A problem with a key names the key, as in `custom.address`. */
export const customProblems = (custom: object | undefined): ReadonlyArray<Problem> => {
  if (custom === undefined) return []
  const problems = [
    ...problemsOf(reportedKeys(Object.keys(custom).filter((key) => !KEY.test(key))), "custom_key"),
    ...problemsOf(keysOfInvalidValues(custom), "custom_value")
  ]
  if (problems.length > 0) return problems
  const bytes = new TextEncoder().encode(JSON.stringify(custom)).length
  return bytes > MAX_CUSTOM_BYTES ? [problem("custom", "custom_too_large")] : []
}

/** Custom attributes after an update, which adds or replaces keys. Null removes all of them. */
export const mergeCustom = (before: Custom, sent: Custom | null): Custom =>
  sent === null ? {} : { ...before, ...sent }
