import { Arbitrary, Effect, Schema } from "effect"
import fc from "fast-check"

/** Whole numbers in a range, including both bounds. */
export const integer = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Surrogates are not characters: well-formed texts contain them only in pairs. */
const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

const characterOf = (index: number): string =>
  String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES)

/**
 * Any character, as the unit of fast-check's texts. Fast-check's own unit, `binary`, builds a table of all million
 * characters for each arbitrary, which takes longer than most tests.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES }).map(characterOf, (character) => {
  const code = String(character).codePointAt(0) ?? Number.NaN
  return code < FIRST_SURROGATE ? code : code - SURROGATES
})

/** Natural numbers up to the largest signed 32-bit integer, for computing remainders. */
export const Natural = integer(0, 2 ** 31 - 1)

/** Texts that match a pattern. The length of repetitions grows with `size`, at quadratic cost. */
export const matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

/** Any well-formed text: mostly ASCII, the rest from anywhere in Unicode. */
export const UnicodeText = matching(/^.*$/su)

/** Email addresses as in RFC 5322 §3.4.1, without quotes and comments. */
export const EmailAddress = matching(
  /^[a-z\d!#$%&'*+/=?^_`{|}~-]{1,8}(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]{1,4})?@[a-z\d](?:[a-z\d-]{0,6}[a-z\d])?\.[a-z]{2,4}$/
)

/** A value from one of several arbitraries, with equal probability. */
export const oneOf = <All extends readonly [unknown, ...ReadonlyArray<unknown>]>(
  ...all: { readonly [Index in keyof All]: Arbitrary.Arbitrary<All[Index]> }
): Arbitrary.Arbitrary<All[number]> =>
  Arbitrary.flatMap(Arbitrary.schema(integer(0, all.length - 1)), (index) => all[index] ?? all[0])

/** One of several values, with equal probability. */
export const elementOf = <A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> => {
  const [first, ...others] = values.map((value) => Arbitrary.Constant(value))
  if (first === undefined) throw new Error("There is no value to choose from.")
  return oneOf(first, ...others)
}

/** Texts that join several parts. */
export const joined = (
  part: Arbitrary.Arbitrary<string>,
  lengths?: Arbitrary.ArrayOptions
): Arbitrary.Arbitrary<string> => Arbitrary.map(Arbitrary.array(part, lengths), (parts) => parts.join(""))

/** Texts of any code points, well-formed or not. Lengths count code points. */
export const anyText = (lengths?: Arbitrary.ArrayOptions): Arbitrary.Arbitrary<string> => {
  const upTo = (last: number) => Arbitrary.schema(integer(0, last))
  const code = oneOf(upTo(0x7f), upTo(0xffff), upTo(0x10ffff))
  return joined(
    Arbitrary.map(code, (point) => String.fromCodePoint(point)),
    lengths
  )
}

/** Sample values of an arbitrary, for example-based tests. */
export const sample = <A>(arbitrary: Arbitrary.Arbitrary<A>, options: Arbitrary.SampleOptions): ReadonlyArray<A> =>
  Effect.runSync(Arbitrary.sampleEffect(arbitrary, options))

/** Well-formed texts of characters from anywhere in Unicode, at linear cost. Lengths count code points. */
export const longText = (lengths: Arbitrary.ArrayOptions = {}): Arbitrary.Arbitrary<string> =>
  Arbitrary.map(Arbitrary.array(Arbitrary.schema(integer(0, 0x10ffff - SURROGATES)), lengths), (codes) =>
    codes.map(characterOf).join("")
  )
