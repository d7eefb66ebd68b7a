import { Schema, SchemaTransformation } from "effect"
import { keysOfInvalidValues } from "#domain/Custom"
import { isObject } from "#domain/JsonObject"
import { MAX_TOTAL } from "#domain/Page"
import { SEARCH_LENGTH } from "#domain/Search"
import { isStorable, isWithin, TEXT_LENGTH } from "#domain/Text"
import { MAX_ELEMENTS } from "./BodyShape.ts"
import { describe, KEYWORDS, type Keywords, refer } from "./Description.ts"

/** A text that the database can store, with at most `maximum` characters (C10a, SEC-77). */
export const Text = (maximum = TEXT_LENGTH) =>
  Schema.String.check(
    Schema.makeFilter(isStorable, { problem: { code: "invalid" } }),
    Schema.makeFilter((text: string) => isWithin(maximum, text), {
      problem: { code: "too_long", params: { maximum } },
      toJsonSchema: () => ({ maxLength: maximum })
    })
  )

/**
 * A one-time token, code or nonce sent by a caller. The format is not checked, because the lookup does not find malformed
 * values.
 */
export const SecretText = Text(1_024)

/** The problem reported if a value is not in the list. Its message lists the allowed values. */
const inclusion = (words: ReadonlyArray<string>) => ({ code: "inclusion", params: { allowed: words.join(", ") } })

/** One of the given words. */
export const Choice = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Schema.Literals(words).annotate({ problem: inclusion(words) })

/** A member that is optional and nullable. */
export const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A boolean in a query. */
export const QueryFlag = Schema.Literals(["true", "false", "1", "0"])
  .annotate({ problem: { code: "not_boolean" }, [KEYWORDS]: { type: "boolean" } })
  .pipe(
    Schema.decodeTo(
      Schema.Boolean,
      SchemaTransformation.transform({
        decode: (word) => word === "true" || word === "1",
        encode: (flag) => (flag ? ("true" as const) : ("false" as const))
      })
    )
  )

/** A boolean in a body: a JSON boolean, or a word in a form. */
export const Flag = Schema.Union([Schema.Boolean, QueryFlag]).annotate({
  problem: { code: "not_boolean" },
  [KEYWORDS]: { type: "boolean" }
})

const numeral = /^-?\d{1,15}(\.\d{1,15})?$/

const Numeral = (code: string, keywords: Keywords) =>
  Schema.String.annotate({ problem: { code }, [KEYWORDS]: keywords })
    .check(Schema.makeFilter((text: string) => numeral.test(text), { problem: { code } }))
    .pipe(Schema.decodeTo(Schema.Number, SchemaTransformation.transform({ decode: Number, encode: String })))

const whole = Schema.makeFilter((n: number) => Number.isSafeInteger(n), { problem: { code: "not_number" } })

const within = (least: number, most: number) =>
  Schema.makeFilter((n: number) => n >= least && n <= most, { problem: { code: "range", params: { least, most } } })

/** The latest timestamp accepted, in seconds: the end of the year 9999. */
export const LAST_TIME = 253_402_300_799

const seconds: Keywords = { type: "number", minimum: 0, maximum: LAST_TIME }

const integer: Keywords = { type: "integer" }

const time = Schema.makeFilter((n: number) => n >= 0 && n <= LAST_TIME, { problem: { code: "not_time" } })

/** A whole number in a body: a JSON number, or digits in a form. The core checks its range. */
export const Integer = Schema.Union([Schema.Finite, Numeral("not_number", integer)])
  .annotate({ problem: { code: "not_number" }, [KEYWORDS]: integer })
  .check(whole)

/** A Unix timestamp as text. */
export const TimeText = Numeral("not_time", seconds)

/** A Unix timestamp in seconds with up to three decimals (C11): a JSON number, or digits in a form. */
export const TimeT = Schema.Union([Schema.Finite, TimeText])
  .annotate({ problem: { code: "not_time" }, [KEYWORDS]: seconds })
  .check(time)

/** A Unix timestamp in a query. */
export const QueryTime = TimeText.check(time)

/** A whole number within a range in a query. */
export const QueryInteger = (least: number, most: number) =>
  Numeral("not_number", { ...integer, minimum: least, maximum: most }).check(whole, within(least, most))

const several = <S extends Schema.Top>(text: S) =>
  Schema.Union([Schema.Array(text), text]).annotate({ problem: { code: "not_list" } })

const bounded = (most: number) =>
  Schema.makeFilter((list: ReadonlyArray<unknown>) => list.length <= most, {
    problem: { code: "too_many", params: { most } }
  })

/** A list of at most `most` elements. */
export const List = <S extends Schema.Top>(element: S, most = MAX_ELEMENTS) =>
  Schema.Array(element)
    .annotate({ problem: { code: "not_list" } })
    .check(bounded(most))

/** A list of words: an array, or one text separated by spaces or commas (C47). */
export const Words = <Word extends string>(
  word: Schema.Codec<Word, string>,
  { most = MAX_ELEMENTS, between = /[\s,]+/u } = {}
) => {
  const list = List(word, most)
  // Check the number of words before splitting the text, because each element of the list would be decoded.
  const text = Schema.String.check(
    Schema.makeFilter((given: string) => given.split(between, most + 2).filter((one) => one !== "").length <= most, {
      problem: { code: "too_many", params: { most } }
    })
  )
  const split = SchemaTransformation.transform({
    decode: (text: string): ReadonlyArray<string> => text.split(between).filter((one) => one !== ""),
    encode: (words: ReadonlyArray<string>) => words.join(" ")
  })
  return Schema.Union([list, text.pipe(Schema.decodeTo(list, split))])
}

/** Permission tags. The core checks their format and number. */
export const Permissions = Words(Schema.String, { most: 1_000 })

/** Scopes of a provider. The core checks their format. */
export const Scopes = Words(Schema.String)

/** IDs, limited only by the size of a body. The lookup reports malformed IDs as not found. */
export const Ids = Words(Schema.String, { most: 5_000 })

/** A query parameter that can be repeated or can have several comma-separated values (C7). */
export const QueryList = several(Text(65_536))

/** Returns the values of a parameter that can be repeated. */
export const values = (given: string | ReadonlyArray<string> | null | undefined): ReadonlyArray<string> =>
  (typeof given === "string" ? [given] : (given ?? []))
    .flatMap((text) => text.split(/[\s,]+/u))
    .filter((text) => text !== "")

/** Custom attributes. The value is not copied, because a copy would lose a member named `__proto__`. */
export const Custom = Schema.declare(isObject, {
  expected: "an object of custom attributes",
  problem: { code: "not_object" }
}).check(
  Schema.makeFilter((custom) => keysOfInvalidValues(custom).map((key) => ({ path: [key], issue: "custom_value" })), {
    problem: { code: "custom_value" }
  })
)

/** The IP address and user agent of the end user's request, sent by the caller (`v2.request`). */
export const RequestAttributes = Schema.Struct({
  ip: describe(maybe(Text()), "The IP address of the person that you act for. Default: null."),
  client: describe(maybe(Text()), "The person's software, usually a user agent. Default: null.")
}).annotate({
  problem: { code: "not_object" },
  identifier: "RequestInput",
  description:
    "The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used for decisions."
})

/** The member for request attributes, accepted by every write next to its wrapper. */
export const requestAttributes = {
  request: refer(maybe(RequestAttributes), "RequestInput")
}

/** The body of a write without attributes. */
export const EmptyBody = Schema.Struct(requestAttributes)

/** The query parameters of a list (`v2.common`). The access check reads `realm_id`. */
export const pageQuery = <const Sorts extends ReadonlyArray<string>>(sorts: Sorts, most = 1_000) => ({
  // Any text is accepted. The lookup reports a malformed ID as not found.
  after: Schema.optionalKey(Schema.String),
  max_results: Schema.optionalKey(QueryInteger(1, most)),
  sort: Schema.optionalKey(Choice(sorts)),
  direction: Schema.optionalKey(Choice(["asc", "desc"])),
  realm_id: Schema.optionalKey(Text())
})

/** The query parameter for searching a list instead of paging through it (C204). */
export const searchQuery = { search: Schema.optionalKey(Text(SEARCH_LENGTH)) }

/** The query parameter that names the realm. The access check reads it. */
export const realmQuery = { realm_id: Schema.optionalKey(Text()) }

/** The `expand` query parameter, which accepts any of these words. */
export const expandQuery = <const Words extends ReadonlyArray<string>>(...words: Words) => ({
  expand: describe(
    Schema.optionalKey(
      QueryList.check(
        Schema.makeFilter((given) => values(given).every((word) => words.includes(word)), {
          problem: inclusion(words)
        })
      )
    ),
    "Related data to include. A body accepts the same values as the query.",
    { type: ["array", "string"], items: { type: "string", enum: words } }
  )
})

/** A page of a list. */
export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    collection: describe(Schema.Array(item), "The items of the page, in the requested order."),
    more_results: describe(Schema.Boolean, "Whether more items follow.")
  })

/** A page of a list that can be counted with `expand=total_results`. */
export const countedListOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    ...listOf(item).fields,
    total_results: describe(
      Schema.optionalKey(Schema.Finite),
      "The number of items on all pages, with `expand=total_results`. At most 10,000 are counted: 10000 means 10,000 or more. Not in the results of `search`.",
      { type: "integer", minimum: 0, maximum: MAX_TOTAL }
    )
  })

/** The request attributes recorded with a session or an event. */
export const RecordedRequest = Schema.Struct({
  ip: describe(Schema.NullOr(Schema.String), "The IP address of the person who acted; null if not given."),
  client: describe(Schema.NullOr(Schema.String), "The person's software; null if not given.")
}).annotate({ identifier: "Request" })

/** A text, or null. */
export const MaybeText = Schema.NullOr(Schema.String)

/** Unix time in seconds, or null. */
export const MaybeTime = Schema.NullOr(Schema.Finite)
