import { Effect, Metric, Schema } from "effect"

const identity = {
  id: Schema.String,
  description: Schema.UndefinedOr(Schema.String),
  attributes: Schema.UndefinedOr(Schema.Record(Schema.String, Schema.String))
}

/** The state of a metric with one set of labels, from one process or aggregated from several. */
export const MetricSeries = Schema.Union([
  Schema.Struct({
    ...identity,
    type: Schema.Literal("Counter"),
    state: Schema.Struct({ count: Schema.Number, incremental: Schema.Boolean })
  }),
  Schema.Struct({ ...identity, type: Schema.Literal("Gauge"), state: Schema.Struct({ value: Schema.Number }) }),
  Schema.Struct({
    ...identity,
    type: Schema.Literal("Histogram"),
    state: Schema.Struct({
      buckets: Schema.Array(Schema.Tuple([Schema.Number, Schema.Number])),
      count: Schema.Number,
      min: Schema.Number,
      max: Schema.Number,
      sum: Schema.Number
    })
  })
])
export type MetricSeries = typeof MetricSeries.Type

const isSeries = Schema.is(MetricSeries)

/** The metrics of this process. */
export const ownSeries: Effect.Effect<ReadonlyArray<MetricSeries>> = Effect.map(Metric.snapshot, (all) =>
  all.filter((each): each is typeof each & MetricSeries => isSeries(each))
)
