import { Schema, SchemaTransformation } from "effect"
import { type Custom as CustomAttributes, isFlat } from "#domain/Custom"
import { isStorable, isWithin, TEXT_LENGTH } from "#domain/Text"

/** Text of at most `maximum` characters that the database can hold (decision 10a, SEC-77). */
export const Text = (maximum = TEXT_LENGTH) =>
  Schema.String.check(
    Schema.makeFilter(isStorable, { problem: { code: "invalid" } }),
    Schema.makeFilter((text: string) => isWithin(maximum, text), { problem: { code: "too_long", params: { maximum } } })
  )

/** One of a few words. */
export const Choice = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Schema.Literals(words).annotate({ problem: { code: "inclusion" } })

/** A member that may be left out, or be null for none. */
export const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** True or false as a query has it. */
export const FlagWord = Schema.Literals(["true", "false", "1", "0"])
  .annotate({ problem: { code: "not_boolean" } })
  .pipe(
    Schema.decodeTo(
      Schema.Boolean,
      SchemaTransformation.transform({
        decode: (word) => word === "true" || word === "1",
        encode: (flag) => (flag ? ("true" as const) : ("false" as const))
      })
    )
  )

/** True or false; as a word in forms. */
export const Flag = Schema.Union([Schema.Boolean, FlagWord]).annotate({ problem: { code: "not_boolean" } })

const numeral = /^-?\d{1,15}(\.\d{1,15})?$/

const Numeral = (code: string) =>
  Schema.String.annotate({ problem: { code } })
    .check(Schema.makeFilter((text: string) => numeral.test(text), { problem: { code } }))
    .pipe(Schema.decodeTo(Schema.Number, SchemaTransformation.transform({ decode: Number, encode: String })))

const whole = Schema.makeFilter((n: number) => Number.isSafeInteger(n), { problem: { code: "not_number" } })

const within = (least: number, most: number) =>
  Schema.makeFilter((n: number) => n >= least && n <= most, { problem: { code: "range", params: { least, most } } })

/** The end of the year 9999, in seconds: the last time the service knows. */
const LAST_TIME = 253_402_300_799

const time = Schema.makeFilter((n: number) => n >= 0 && n <= LAST_TIME, { problem: { code: "not_time" } })

/** A whole number; as its numeral in forms. Its range is the core's to check. */
export const Integer = Schema.Union([Schema.Number, Numeral("not_number")])
  .annotate({ problem: { code: "not_number" } })
  .check(whole)

/** time_t: seconds since 1970, with up to three decimals (decision 11); as a numeral in forms. */
export const TimeT = Schema.Union([Schema.Number, Numeral("not_time")])
  .annotate({ problem: { code: "not_time" } })
  .check(time)

/** time_t as a query has it. */
export const TimeNumeral = Numeral("not_time").check(time)

/** A whole number in a range, as a query has it. */
export const WholeNumeral = (least: number, most: number) => Numeral("not_number").check(whole, within(least, most))

const several = <S extends Schema.Top>(text: S) =>
  Schema.Union([Schema.Array(text), text]).annotate({ problem: { code: "not_list" } })

/** The most elements of a list whose length nothing else bounds. */
export const MOST_ELEMENTS = 100

const bounded = (most: number) =>
  Schema.makeFilter((list: ReadonlyArray<unknown>) => list.length <= most, {
    problem: { code: "too_many", params: { most } }
  })

/** A list of at most `most`. */
export const List = <S extends Schema.Top>(element: S, most = MOST_ELEMENTS) =>
  Schema.Array(element)
    .annotate({ problem: { code: "not_list" } })
    .check(bounded(most))

/** A list of words: an array, or one text with spaces or commas between them (decision 47). */
export const Words = <Word extends string>(
  word: Schema.Codec<Word, string>,
  { most = MOST_ELEMENTS, between = /[\s,]+/u } = {}
) => {
  const list = List(word, most)
  const split = SchemaTransformation.transform({
    decode: (text: string): ReadonlyArray<string> => text.split(between).filter((one) => one !== ""),
    encode: (words: ReadonlyArray<string>) => words.join(" ")
  })
  return Schema.Union([list, Schema.String.pipe(Schema.decodeTo(list, split))])
}

/** Permission tags. Their form, and how many there may be, is the core's to check. */
export const Permissions = Words(Schema.String, { most: 1_000 })

/** Scopes of a provider. Their form is the core's to check. */
export const Scopes = Words(Schema.String)

/** Ids, as many as fit into a body. What is no id names nothing, which only the look-up can say. */
export const Ids = Words(Schema.String, { most: 5_000 })

/** A query parameter that may come several times, or with commas between its values (decision 7). */
export const Several = several(Text(65_536))

/** The values of a parameter that may come several times. */
export const values = (given: string | ReadonlyArray<string> | null | undefined): ReadonlyArray<string> =>
  (typeof given === "string" ? [given] : (given ?? []))
    .flatMap((text) => text.split(/[\s,]+/u))
    .filter((text) => text !== "")

const isObject = (value: unknown): value is CustomAttributes =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Custom attributes. Kept as they came: copying would lose a member named `__proto__`. */
export const Custom = Schema.declare(isObject, {
  expected: "an object of custom attributes",
  problem: { code: "not_object" }
}).check(Schema.makeFilter(isFlat, { problem: { code: "custom_value" } }))

/** The request attributes beside the wrapper (api-v2 section 2). */
export const RequestAttributes = Schema.Struct({ ip: maybe(Text()), client: maybe(Text()) }).annotate({
  problem: { code: "not_object" }
})

/** What every write may carry beside its wrapper. */
export const beside = { request: maybe(RequestAttributes) }

/** The query parameters of a list (api-v2 section 4); the realm is read by the access check. */
export const paging = <const Sorts extends ReadonlyArray<string>>(sorts: Sorts, most = 1_000) => ({
  // Any text: a malformed id is "not found", which only the look-up can say.
  after: Schema.optionalKey(Schema.String),
  max_results: Schema.optionalKey(WholeNumeral(1, most)),
  sort: Schema.optionalKey(Choice(sorts)),
  direction: Schema.optionalKey(Choice(["asc", "desc"])),
  realm_id: Schema.optionalKey(Text())
})

/** The query parameter of a read of one thing. */
export const inRealm = { realm_id: Schema.optionalKey(Text()) }

/** `expand`: each of its words one of these. */
export const expanding = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Several.check(
    Schema.makeFilter((given) => values(given).every((word) => words.includes(word)), {
      problem: { code: "inclusion" }
    })
  )

/** A list response. */
export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ collection: Schema.Array(item), more_results: Schema.Boolean })

/** A text, or null. */
export const MaybeText = Schema.NullOr(Schema.String)

/** Unix time in seconds, or null. */
export const MaybeTime = Schema.NullOr(Schema.Finite)
