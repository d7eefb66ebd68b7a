import { DateTime, Effect } from "effect"
import { ExpiredRowsRepo } from "#store/operations/ExpiredRowsRepo"
import { BATCH, type Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/**
 * Deletes expired rows for which no event is recorded: sessions, tokens, OAuth states, counters and stored responses
 * (`expiringTables`).
 */
export const SweepSessions = Effect.gen(function* () {
  const rows = yield* ExpiredRowsRepo

  const sweepSome = Effect.gen(function* () {
    const now = yield* DateTime.now
    let deleted = 0
    for (const [table, due] of yield* rows.nextDue) {
      if (DateTime.isLessThanOrEqualTo(due, now)) deleted += yield* rows.deleteSome(table, now, BATCH)
    }
    return deleted
  })

  const job: Job = {
    name: "SweepSessions",
    batch: sweepSome,
    nextDue: Effect.map(rows.nextDue, (due) => earliest([...due.values()]))
  }
  return job
})
