import { Clock, Context, Duration, Effect, Layer, Metric } from "effect"
import type { RealmId } from "#domain/Ids"
import { LruMap } from "#platform/LruMap"
import { RealmSizesRepo } from "#store/realms/RealmSizesRepo"

const bySize = {
  logins: Metric.counter("logins_by_realm_size_total", {
    description: "Completed logins, by the number of users in their realm. Each realm is measured once an hour.",
    incremental: true
  }),
  sessions: Metric.counter("sessions_started_by_realm_size_total", {
    description: "Sessions started, by the number of users in their realm. Each realm is measured once an hour.",
    incremental: true
  })
}

/** The things that are counted by realm size. */
type Counted = keyof typeof bySize

const kinds = ["logins", "sessions"] as const satisfies ReadonlyArray<Counted>

const rows = Metric.gauge("database_rows_estimated", {
  description: "The database's estimate of the number of rows, by table."
})

/** The size classes of realms, largest first: the minimum number of users, and the label. */
const sizes = [
  [10_000, "10000_or_more"],
  [1_000, "1000_to_9999"],
  [100, "100_to_999"],
  [0, "under_100"]
] as const

const sizeOf = (users: number): string => sizes.find(([least]) => users >= least)?.[1] ?? "under_100"

/** The maximum number of realms with a cached size, and of realms waiting to be measured. */
const MAX_REALMS = 10_000

/** The number of realms measured per scrape. The limit keeps the load on the database to a few milliseconds. */
const BATCH = 50

/** How long realm sizes and the row counts of tables are cached, in milliseconds. */
const SIZE_AGE = Duration.toMillis(Duration.hours(1))
const ROWS_AGE = Duration.toMillis(Duration.minutes(1))

/** Collects metrics about activity by realm size, and about table sizes. No label identifies a realm. */
export class RealmSizes extends Context.Service<
  RealmSizes,
  {
    /** Counts one login or session of a realm. */
    count(what: Counted, realmId: RealmId): void
    /** Measures the table sizes, and a batch of realms with new counts. Does nothing if the database doesn't respond. */
    readonly record: Effect.Effect<void>
  }
>()("sallyport/core/RealmSizes") {
  static readonly layer = Layer.effect(
    RealmSizes,
    Effect.gen(function* () {
      const repo = yield* RealmSizesRepo
      const clock = yield* Clock.Clock
      const context = yield* Effect.context<never>()
      const known = new LruMap<RealmId, { readonly key: RealmId; readonly size: string; readonly until: number }>(
        MAX_REALMS
      )
      /** The counts of realms that have not been measured yet. */
      const waiting = new Map<RealmId, Record<Counted, number>>()
      let rowsUntil = 0

      const counterOf = (what: Counted, size: string) => Metric.withAttributes(bySize[what], { realm_users: size })
      const counters = {
        logins: new Map(sizes.map(([, size]) => [size as string, counterOf("logins", size)])),
        sessions: new Map(sizes.map(([, size]) => [size as string, counterOf("sessions", size)]))
      }
      const add = (what: Counted, size: string, count: number) => counters[what].get(size)?.updateUnsafe(count, context)
      for (const what of kinds) for (const [, size] of sizes) add(what, size, 0)

      const count = (what: Counted, realmId: RealmId) => {
        const size = known.get(realmId)
        if (size !== undefined && size.until > clock.currentTimeMillisUnsafe()) return add(what, size.size, 1)
        const counted = waiting.get(realmId)
        if (counted !== undefined) counted[what] += 1
        else if (waiting.size < MAX_REALMS) waiting.set(realmId, { logins: 0, sessions: 0, [what]: 1 })
      }

      const measure = Effect.gen(function* () {
        const realmIds = [...waiting.keys()].slice(0, BATCH)
        if (realmIds.length === 0) return
        const found = yield* repo.users(realmIds, sizes[0][0])
        const until = clock.currentTimeMillisUnsafe() + SIZE_AGE
        for (const { id, users } of found ?? []) {
          const size = sizeOf(users)
          known.set({ key: id, size, until })
          for (const what of kinds) add(what, size, waiting.get(id)?.[what] ?? 0)
          waiting.delete(id)
        }
      })

      const recordRows = Effect.gen(function* () {
        const now = clock.currentTimeMillisUnsafe()
        if (now < rowsUntil) return
        rowsUntil = now + ROWS_AGE
        for (const { table, rows: count } of (yield* repo.tables) ?? []) {
          yield* Metric.update(Metric.withAttributes(rows, { table }), count)
        }
      })

      return RealmSizes.of({
        count,
        record: Effect.all([measure, recordRows], { concurrency: "unbounded", discard: true })
      })
    })
  )
}
