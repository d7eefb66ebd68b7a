declare global {
  interface JSON {
    /** Returns a value that `JSON.stringify` outputs verbatim. Older browsers lack it. */
    rawJSON?(text: string): unknown
  }
}

/** A JSON number that JavaScript cannot represent exactly, such as `10155555555555557`. */
export class InexactNumber {
  /** The number as written in the source. */
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  /** Serializes the number as it was written, or as a string in browsers without `JSON.rawJSON`. */
  toJSON(): unknown {
    return JSON.rawJSON?.(this.digits) ?? this.digits
  }
}

/** Matches text that may contain inexact numbers. Other text takes the fast path. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]\+?\d\d/

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The normal form of a number, which is the same for all spellings of its zeros and exponent. */
const normalForm = (text: string): string => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, "")
  let end = digits.length
  while (digits[end - 1] === "0") end -= 1
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

const isInexact = (value: number, written: string): boolean =>
  Math.abs(value) > Number.MAX_SAFE_INTEGER && normalForm(written) !== normalForm(String(value))

const parseExactly = (text: string, keep: (digits: string) => unknown): unknown =>
  JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined && isInexact(value, context.source)
      ? keep(context.source)
      : value
  )

const toInexactNumber = (digits: string) => new InexactNumber(digits)

/**
 * Parses JSON without losing precision. Each number beyond 2^53 that JavaScript would round is passed to `keep` as its
 * digits and replaced by the result. Throws for the same strings as `JSON.parse`.
 */
export const parseJson = (text: string, keep: (digits: string) => unknown = toInexactNumber): unknown =>
  MAY_BE_INEXACT.test(text) ? parseExactly(text, keep) : JSON.parse(text)

/** Parses JSON, replacing numbers that JavaScript would round with strings of their digits. Use it for values that are treated as text. */
export const parseWithDigits = (text: string): unknown => parseJson(text, (digits) => digits)

/** The path to a member of a JSON value, consisting of member names and array indexes. */
export type JsonPath = ReadonlyArray<string | number>

/** A position inside a JSON value. Paths are built only when needed, because values can be nested thousands of levels deep. */
interface Place {
  readonly value: unknown
  readonly step: string | number | undefined
  readonly parent: Place | undefined
}

const pathTo = (place: Place): JsonPath => {
  const path: Array<string | number> = []
  for (let one: Place | undefined = place; one?.step !== undefined; one = one.parent) path.push(one.step)
  return path.reverse()
}

/** The paths of the inexact numbers in a value from `parseJson`. At most 20 are returned. */
const inexactPaths = (value: unknown): ReadonlyArray<JsonPath> => {
  const found: Array<JsonPath> = []
  const open: Array<Place> = [{ value, step: undefined, parent: undefined }]
  for (let next = open.pop(); next !== undefined && found.length < 20; next = open.pop()) {
    const parent = next
    if (parent.value instanceof InexactNumber) found.push(pathTo(parent))
    else if (typeof parent.value === "object" && parent.value !== null) {
      const members = Array.isArray(parent.value) ? parent.value.entries() : Object.entries(parent.value)
      for (const [step, member] of [...members].toReversed()) {
        if (typeof member === "object" && member !== null) open.push({ value: member, step, parent })
      }
    }
  }
  return found
}

const NONE: ReadonlyArray<JsonPath> = []

/** Parses JSON and locates its inexact numbers. Throws for the same strings as `JSON.parse`. */
export const readJson = (text: string): { readonly value: unknown; readonly inexact: ReadonlyArray<JsonPath> } => {
  if (!MAY_BE_INEXACT.test(text)) return { value: JSON.parse(text), inexact: NONE }
  const value = parseExactly(text, toInexactNumber)
  return { value, inexact: inexactPaths(value) }
}
