import { InexactNumber, parseJson } from "#domain/ExactJson"
import type { SourceRecord } from "./Row.ts"

export const isObject = (value: unknown): value is SourceRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber)

/** The values that databases write to a CSV for null. */
const NULL_TEXTS = new Set(["", "\\N", "NULL"])

/** Returns the trimmed text, or undefined if it is empty. Numbers become texts, because a CSV doesn't distinguish them. */
export const textOf = (value: unknown): string | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  if (value instanceof InexactNumber) return value.digits
  if (typeof value !== "string") return undefined
  const text = value.trim()
  return text === "" || text === "\\N" ? undefined : text
}

const YES = new Set(["true", "t", "yes", "y", "1"])

/** Whether a value means yes. */
export const flagOf = (value: unknown): boolean => value === true || YES.has(textOf(value)?.toLowerCase() ?? "")

const NO = new Set(["false", "f", "no", "n", "0"])

/** Whether a value is empty or means no. In exports, users without a feature have such values. */
export const isNothing = (value: unknown): boolean =>
  isEmpty(value) || value === false || NO.has(textOf(value)?.toLowerCase() ?? "")

/** Whether a value is empty. */
export const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null) return true
  if (typeof value === "string") return textOf(value) === undefined || value === "[]" || value === "{}"
  return typeof value === "object" && Object.keys(value).length === 0
}

/** Returns an object, or parses an object encoded as a JSON string. */
export const objectOf = (value: unknown): SourceRecord | undefined => {
  if (isObject(value)) return value
  if (typeof value !== "string") return undefined
  try {
    const parsed = parseJson(value)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Returns the objects of a list, or of a list encoded as a JSON string. */
export const objectsOf = (value: unknown): ReadonlyArray<SourceRecord> => {
  if (Array.isArray(value)) return value.filter(isObject)
  if (typeof value !== "string") return []
  try {
    const parsed = parseJson(value)
    return Array.isArray(parsed) ? parsed.filter(isObject) : []
  } catch {
    return []
  }
}

/**
 * A date and time in the formats that databases write: `2020-05-20 18:40:00.123456+00`, with ` UTC`, or without a time
 * zone.
 */
const stamp = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

const zoneOf = (zone: string): string => {
  if (/^[A-Z]/i.test(zone)) return "Z"
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0")
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** Converts a time. Times without a time zone are UTC. Invalid times remain texts, which the service rejects. */
export const timeOf = (value: unknown): number | string | undefined => {
  if (typeof value === "number") return value
  const text = textOf(value)
  if (text === undefined || NULL_TEXTS.has(text)) return undefined
  const [, date, time = "00:00:00", zone = "Z"] = stamp.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}${zoneOf(zone)}`
}

/** Converts a timestamp in the exporting system's format to Unix seconds. Returns undefined if it is invalid. */
export const secondsOf = (value: unknown): number | undefined => {
  const time = timeOf(value)
  const seconds = typeof time === "string" ? Date.parse(time) / 1000 : time
  return seconds === undefined || Number.isNaN(seconds) ? undefined : seconds
}

/** Converts a time in milliseconds. */
export const timeOfMillis = (value: unknown): number | undefined => {
  const millis = Number(textOf(value))
  return Number.isFinite(millis) && millis > 0 ? millis / 1000 : undefined
}

/** Splits a full name. The last word becomes the last name. */
export const namesOf = (whole: string): { readonly first_name: string; readonly last_name?: string } => {
  const words = whole.split(/\s+/)
  const last = words.length > 1 ? words.pop() : undefined
  return { first_name: words.join(" "), ...(last === undefined ? {} : { last_name: last }) }
}
