import { Schema, SchemaTransformation } from "effect"
import { KEYWORDS } from "../Description.ts"
import { LAST_TIME, TimeText } from "../Wire.ts"

/** An ISO 8601 date and time with a time zone. */
const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

const IsoTime = Schema.String.check(
  Schema.makeFilter((text: string) => iso.test(text) && !Number.isNaN(Date.parse(text)))
).pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (text: string) => Date.parse(text) / 1000,
      encode: (seconds) => new Date(seconds * 1000).toISOString()
    })
  )
)

/** A time in a row, decoded to Unix seconds. It can be a number, or ISO 8601, which is common in other systems' exports. */
export const Moment = Schema.Union([Schema.Finite, TimeText, IsoTime])
  .annotate({ problem: { code: "not_moment" }, [KEYWORDS]: { type: ["number", "string"] } })
  .check(
    Schema.makeFilter((n: number) => n <= LAST_TIME, { problem: { code: "in_milliseconds" } }),
    Schema.makeFilter((n: number) => n >= 0, { problem: { code: "not_moment" } })
  )
