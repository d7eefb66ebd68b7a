import { Effect } from "effect"
import { query } from "./query.ts"
import type { OwnService } from "./sallyport.ts"

/** Locks held by a separate transaction until they are released. */
export interface HeldLocks extends AsyncDisposable {
  /** Commits the transaction. */
  release(): Promise<void>
}

/** Takes locks with one statement in an open transaction. `last` runs just before the commit. */
export const holdLocks = async (
  { otherSql }: Pick<OwnService, "otherSql">,
  take: Effect.Effect<unknown, unknown>,
  last: Effect.Effect<unknown, unknown> = Effect.void
): Promise<HeldLocks> => {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const transaction = Effect.gen(function* () {
    yield* take
    held.resolve()
    yield* Effect.promise(() => released.promise)
    yield* last
  })
  const done = Effect.runPromise(otherSql.withTransaction(transaction))
  await Promise.race([held.promise, done])
  const release = () => {
    released.resolve()
    return done
  }
  return { release, [Symbol.asyncDispose]: release }
}

/** The number of a service's database connections that are blocked by a lock. PostgreSQL only. */
export const blockedConnections = async ({ sql }: Pick<OwnService, "sql">): Promise<number> => {
  const [row] = await query(sql<{ readonly count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}

/** Resolves as soon as a lock blocks a connection. PostgreSQL only. */
export const awaitBlockedConnection = async (own: Pick<OwnService, "sql">): Promise<void> => {
  while ((await blockedConnections(own)) === 0) continue
}
