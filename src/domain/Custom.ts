import { isStorable } from "./Text.ts"

/**
 * Custom attributes (`v2.custom`): text, numbers, booleans, null, or arrays of those, under keys of `[A-Za-z0-9_]+`.
 */
export type Custom = Readonly<Record<string, unknown>>

/** The largest `custom`, in bytes of JSON (C10a). */
export const MAX_CUSTOM_BYTES = 16 * 1024

const KEY = /^[A-Za-z0-9_]+$/

const isScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && isStorable(value))

/** Whether every value is of a type that `custom` allows. */
export const isFlat = (custom: object): boolean =>
  Object.values(custom).every((value) => isScalar(value) || (Array.isArray(value) && value.every(isScalar)))

/** The code of the first rule that `custom` breaks, or undefined. */
export const customProblem = (custom: object): string | undefined => {
  if (!Object.keys(custom).every((key) => KEY.test(key))) return "custom_key"
  if (!isFlat(custom)) return "custom_value"
  return new TextEncoder().encode(JSON.stringify(custom)).length > MAX_CUSTOM_BYTES ? "custom_too_large" : undefined
}
