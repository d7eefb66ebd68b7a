import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { LimitName } from "#domain/Limit"
import { date } from "./Rows.ts"

/** A window of a limit for one subject. */
export interface QuotaWindow {
  readonly name: LimitName
  readonly subject: string
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** What all nodes together have used up of limits. */
export class RateLimitsRepo extends Context.Service<
  RateLimitsRepo,
  {
    /** Takes a block of a window, as far as `most` allows: how much of it; 0: nothing is left. */
    take(window: QuotaWindow, block: number, most: number): Effect.Effect<number>
  }
>()("sallyport/store/RateLimitsRepo") {
  static readonly layer = Layer.effect(
    RateLimitsRepo,
    Effect.map(SqlClient, (sql) =>
      RateLimitsRepo.of({
        take: ({ name, subject, begins, ends }, block, most) =>
          sql<{ readonly used: number }>`insert into quotas (limit_name, subject, window_at, used, expires_at)
            values (${name}, ${subject}, ${date(begins)}, ${block}, ${date(ends)})
            on conflict (limit_name, subject, window_at) do update set used = quotas.used + excluded.used
              where quotas.used < ${most} returning used`.pipe(
            Effect.map(([row]) => (row === undefined ? 0 : block - Math.max(0, row.used - most))),
            Effect.orDie
          )
      })
    )
  )
}
