import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import type { LimitName } from "#domain/Limit"
import { date } from "../statements/Rows.ts"

/** One time window of a rate limit for one subject. */
export interface LimitWindow {
  readonly name: LimitName
  readonly subject: string
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** Counts the use of rate limits across all nodes. */
export class RateLimitsRepo extends Context.Service<
  RateLimitsRepo,
  {
    /** Takes a block of units from a window that allows `limit` units. Returns how many were available, 0 if none are left. */
    take(window: LimitWindow, block: number, limit: number): Effect.Effect<number>
    /** Returns those of these windows in which at least `most` units were taken. */
    findReached<W extends LimitWindow & { readonly most: number }>(
      windows: ReadonlyArray<W>
    ): Effect.Effect<ReadonlyArray<W>>
    /**
     * Returns all units of these windows, and notifies the other nodes as of a change of the realm (ADR-0022). Call this in a
     * transaction.
     */
    reset(realmId: RealmId, windows: ReadonlyArray<LimitWindow>): Effect.Effect<void>
  }
>()("sallyport/store/RateLimitsRepo") {
  static readonly layer = Layer.effect(
    RateLimitsRepo,
    Effect.map(SqlClient, (sql) =>
      RateLimitsRepo.of({
        take: ({ name, subject, begins, ends }, block, limit) =>
          sql<{ readonly used: number }>`insert into quotas (limit_name, subject, window_at, used, expires_at)
            values (${name}, ${subject}, ${date(begins)}, ${block}, ${date(ends)})
            on conflict (limit_name, subject, window_at) do update set used = quotas.used + excluded.used
              where quotas.used < ${limit} returning used`.pipe(
            Effect.map(([row]) => (row === undefined ? 0 : block - Math.max(0, row.used - limit))),
            Effect.orDie
          ),
        findReached: (windows) =>
          sql<{ readonly number: number; readonly used: number }>`select w.number::integer as number, q.used
            from unnest(${windows.map(({ name }) => name)}::text[], ${windows.map(({ subject }) => subject)}::text[],
              ${windows.map(({ begins }) => DateTime.formatIso(begins))}::timestamptz[])
              with ordinality as w (limit_name, subject, window_at, number) join quotas q
              on q.limit_name = w.limit_name and q.subject = w.subject and q.window_at = w.window_at`.pipe(
            Effect.map((rows) => {
              const used = new Map(rows.map((row) => [row.number, row.used]))
              return windows.filter(({ most }, index) => (used.get(index + 1) ?? 0) >= most)
            }),
            Effect.orDie
          ),
        reset: (realmId, windows) =>
          Effect.forEach(
            windows,
            ({ name, subject, begins }) =>
              sql`delete from quotas
                where limit_name = ${name} and subject = ${subject} and window_at = ${date(begins)}`,
            { discard: true }
          ).pipe(
            Effect.andThen(sql`insert into realm_changes (xid, realm_id) values (pg_current_xact_id(), ${realmId})
              on conflict do nothing`),
            Effect.asVoid,
            Effect.orDie
          )
      })
    )
  )
}
