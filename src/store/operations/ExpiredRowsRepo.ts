import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { date, utc } from "../statements/Rows.ts"

/** The tables whose rows expire without an event, and how many hours their expired rows are retained. */
const tables = {
  retired_public_keys: 0,
  sessions: 0,
  browser_sessions: 0,
  known_browsers: 0,
  trusted_devices: 0,
  // Expired and unknown tokens get different responses.
  one_time_tokens: 24,
  passkey_challenges: 0,
  signup_tokens: 0,
  released_subdomains: 0,
  oauth_states: 0,
  oauth_client_secrets: 0,
  oauth_grants: 0,
  // The page of an expired request says that it has expired and links back to the client.
  oauth_requests: 24,
  // Using a code twice ends the grant created by the first use.
  oauth_codes: 24,
  // Expired and unknown device codes get different responses.
  oauth_devices: 24,
  oauth_refresh_tokens: 0,
  oauth_revoked_tokens: 0,
  oauth_proofs: 0,
  oauth_logout_requests: 0,
  quotas: 0,
  unknown_attempts: 0,
  idempotent_requests: 0,
  console_sessions: 0,
  operator_sessions: 0
} as const

export type ExpiringTable = keyof typeof tables

export const expiringTables: ReadonlyArray<ExpiringTable> = [
  "retired_public_keys",
  "sessions",
  "browser_sessions",
  "known_browsers",
  "trusted_devices",
  "one_time_tokens",
  "passkey_challenges",
  "signup_tokens",
  "released_subdomains",
  "oauth_states",
  "oauth_client_secrets",
  "oauth_grants",
  "oauth_requests",
  "oauth_codes",
  "oauth_devices",
  "oauth_refresh_tokens",
  "oauth_revoked_tokens",
  "oauth_proofs",
  "oauth_logout_requests",
  "quotas",
  "unknown_attempts",
  "idempotent_requests",
  "console_sessions",
  "operator_sessions"
]

/** Deletes expired rows. All other queries already ignore them. */
export class ExpiredRowsRepo extends Context.Service<
  ExpiredRowsRepo,
  {
    /** Deletes up to `limit` expired rows and returns their number. Skips rows locked by another node. */
    deleteSome(table: ExpiringTable, now: DateTime.Utc, limit: number): Effect.Effect<number>
    /** When the next row of each table can be deleted. Empty tables are not included. */
    readonly nextDue: Effect.Effect<ReadonlyMap<ExpiringTable, DateTime.Utc>>
  }
>()("sallyport/store/ExpiredRowsRepo") {
  static readonly layer = Layer.effect(
    ExpiredRowsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const oldest = sql.literal(
        expiringTables
          .map((table) => `select '${table}' as name, min(expires_at) as at from ${table}`)
          .join(" union all ")
      )
      return ExpiredRowsRepo.of({
        deleteSome: (table, now, limit) =>
          sql`delete from ${sql(table)} where ctid = any(array(
              select ctid from ${sql(table)} where expires_at <= ${date(DateTime.subtract(now, { hours: tables[table] }))}
              order by expires_at limit ${limit} for update skip locked)) returning 1 as gone`.pipe(
            Effect.map((rows) => rows.length),
            Effect.orDie
          ),
        nextDue: sql<{ readonly name: ExpiringTable; readonly at: Date | null }>`${oldest}`.pipe(
          Effect.map((rows) => {
            const due = rows.flatMap(({ name, at }) =>
              at === null ? [] : [[name, DateTime.add(utc(at), { hours: tables[name] })] as const]
            )
            return new Map(due)
          }),
          Effect.orDie
        )
      })
    })
  )
}
