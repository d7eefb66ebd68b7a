import { type Cause, Effect, Metric } from "effect"
import { databaseErrorOf } from "./Transaction.ts"

const errors = Metric.counter("database_errors_total", {
  description: "Database errors that made a request or a background job fail, by class.",
  incremental: true
})

/** Counts a database error in the metrics. */
export const countDatabaseError = (name: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(errors, { class: name }), 1)

/** Counts the database errors that caused a failure in the metrics. */
export const countDatabaseErrors = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.forEach(
    cause.reasons.flatMap((reason) => (reason._tag === "Die" ? (databaseErrorOf(reason.defect) ?? []) : [])),
    countDatabaseError,
    { discard: true }
  )
