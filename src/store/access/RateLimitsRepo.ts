import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
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
          )
      })
    )
  )
}
