import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { date, utcOrNull } from "./Rows.ts"

/** What ends without anyone being told, and for how long its rows stay after that, in hours. */
const tables = {
  sessions: 0,
  browser_sessions: 0,
  known_browsers: 0,
  // A reset token that comes late is told from one that never was.
  one_time_tokens: 24,
  signup_tokens: 0,
  released_subdomains: 0,
  oauth_states: 0,
  quotas: 0,
  unknown_attempts: 0,
  idempotent_requests: 0
} as const

export type Swept = keyof typeof tables

export const swept: ReadonlyArray<Swept> = [
  "sessions",
  "browser_sessions",
  "known_browsers",
  "one_time_tokens",
  "signup_tokens",
  "released_subdomains",
  "oauth_states",
  "quotas",
  "unknown_attempts",
  "idempotent_requests"
]

/** The rows of what has expired: refused already, and here to be cleared away. */
export class ExpiredRowsRepo extends Context.Service<
  ExpiredRowsRepo,
  {
    /** Deletes some rows that have expired: how many. Those that another node is at are left to it. */
    deleteSome(table: Swept, now: DateTime.Utc, limit: number): Effect.Effect<number>
    /** When the first row is to be cleared away. */
    nextDue(table: Swept): Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/ExpiredRowsRepo") {
  static readonly layer = Layer.effect(
    ExpiredRowsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ExpiredRowsRepo.of({
        deleteSome: (table, now, limit) =>
          sql`delete from ${sql(table)} where ctid = any(array(
              select ctid from ${sql(table)} where expires_at <= ${date(DateTime.subtract(now, { hours: tables[table] }))}
              order by expires_at limit ${limit} for update skip locked)) returning 1 as gone`.pipe(
            Effect.map((rows) => rows.length),
            Effect.orDie
          ),
        nextDue: (table) =>
          sql<{ readonly at: Date | null }>`select min(expires_at) as at from ${sql(table)}`.pipe(
            Effect.map(([row]) => {
              const at = utcOrNull(row?.at ?? null)
              return at === null ? undefined : DateTime.add(at, { hours: tables[table] })
            }),
            Effect.orDie
          )
      })
    })
  )
}
