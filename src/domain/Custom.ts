import { type Problem, problem } from "./Rejected.ts"
import { isStorable } from "./Text.ts"

/** Custom attributes (`v2.custom`): text, numbers, booleans, null, or arrays of these. Keys match `[A-Za-z0-9_]+`. */
export type Custom = Readonly<Record<string, unknown>>

/** The maximum size of `custom`, in bytes of JSON (C10a). */
export const MAX_CUSTOM_BYTES = 16 * 1024

/** The maximum number of invalid keys to report, and of characters of each. */
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

/** The keys whose values have a type not allowed in `custom`. */
export const keysOfInvalidValues = (custom: object): ReadonlyArray<string> =>
  reportedKeys(Object.entries(custom).flatMap(([key, value]) => (isAllowed(value) ? [] : [key])))

const problemsOf = (keys: ReadonlyArray<string>, code: string): ReadonlyArray<Problem> =>
  keys.map((key) => problem(`custom.${key}`, code, { key }))

/** Validates custom attributes. A problem with one key includes the key in its field name, as in `custom.address`. */
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

/** Merges an update into the custom attributes: keys are added or replaced. Null removes all attributes. */
export const mergeCustom = (before: Custom, sent: Custom | null): Custom =>
  sent === null ? {} : { ...before, ...sent }
