import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Runs checkpoints and vacuums like a server's background processes, which an embedded database doesn't have. Without them,
 * its log would grow forever and the space of deleted rows would never be reused.
 */
export const maintain = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`checkpoint`
    const tables = yield* sql<{ name: string }>`
      select quote_ident(relname) as name from pg_stat_user_tables where n_dead_tup > 1000 + n_live_tup / 5`
    for (const { name } of tables) yield* sql.unsafe(`vacuum analyze ${name}`).unprepared
  }).pipe(
    Effect.ignore({ log: "Warn", message: "Maintenance of the embedded database failed" }),
    Effect.schedule(Schedule.spaced("5 minutes"))
  )
