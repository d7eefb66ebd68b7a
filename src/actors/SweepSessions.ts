import { DateTime, Effect } from "effect"
import { ExpiredRowsRepo, type ExpiringTable, expiringTables } from "#store/ExpiredRowsRepo"
import { BATCH, type Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/**
 * Deletes expired rows that end without an event: sessions, tokens, OAuth states, counters, stored answers
 * (`expiringTables`).
 */
export const SweepSessions = Effect.gen(function* () {
  const rows = yield* ExpiredRowsRepo

  const sweep = (table: ExpiringTable) => Effect.flatMap(DateTime.now, (now) => rows.deleteSome(table, now, BATCH))

  const job: Job = {
    name: "SweepSessions",
    batch: Effect.map(Effect.forEach(expiringTables, sweep), (counts) => counts.reduce((sum, count) => sum + count, 0)),
    nextDue: Effect.map(Effect.forEach(expiringTables, rows.nextDue), earliest)
  }
  return job
})
