import { Option, Schema } from "effect"
import { MetricSeries } from "#platform/MetricSeries"

const ActorState = Schema.Struct({ ok: Schema.Boolean, restarts: Schema.Number, lagSeconds: Schema.Number })

const Readiness = Schema.Struct({
  ready: Schema.Boolean,
  database: Schema.Literals(["ok", "unreachable"]),
  clock: Schema.Literals(["ok", "wrong"]),
  clockSkewSeconds: Schema.Number,
  missingKeys: Schema.Array(Schema.String),
  draining: Schema.Boolean,
  actors: Schema.Record(Schema.String, ActorState)
})

/** A report of one side about itself. The primary's report covers all workers. */
const Report = Schema.Union([
  Schema.TaggedStruct("Readiness", { readiness: Readiness }),
  Schema.TaggedStruct("Metrics", { series: Schema.Array(MetricSeries) })
])
export type Report = typeof Report.Type

/** A request for a report, from either side. The response has the same id. */
const Ask = Schema.TaggedStruct("Ask", { id: Schema.Number, subject: Schema.Literals(["Readiness", "Metrics"]) })
export type Ask = typeof Ask.Type

const Answer = Schema.TaggedStruct("Answer", { id: Schema.Number, report: Report })

/** Sent by a worker when it accepts requests. */
const Started = Schema.TaggedStruct("Started", {
  url: Schema.String,
  ownUrl: Schema.String,
  opsUrl: Schema.UndefinedOr(Schema.String),
  database: Schema.String,
  mail: Schema.String,
  console: Schema.Boolean,
  delivers: Schema.Boolean,
  loginUrl: Schema.UndefinedOr(Schema.String),
  knownKey: Schema.UndefinedOr(Schema.String),
  rootKey: Schema.UndefinedOr(
    Schema.Union([
      Schema.TaggedStruct("Shown", { key: Schema.String }),
      Schema.TaggedStruct("Stored", { file: Schema.String })
    ])
  )
})
export type Started = typeof Started.Type

/** Sent by a worker that can't start. `sentence`: the reason. */
const Refused = Schema.TaggedStruct("Refused", { sentence: Schema.String })

/** The messages between the primary and its workers. */
const Message = Schema.Union([Ask, Answer, Started, Refused])
export type Message = typeof Message.Type

const decode = Schema.decodeUnknownOption(Message)

/** Parses a message. Returns undefined for messages from elsewhere, such as Node's file watcher. */
export const messageOf = (received: unknown): Message | undefined => Option.getOrUndefined(decode(received))
