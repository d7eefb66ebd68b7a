import { Clock, Context, Duration, Effect, Exit, Layer, Metric } from "effect"
import type { RealmId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { LruMap } from "#platform/LruMap"
import { RealmSizesRepo } from "#store/RealmSizesRepo"

const logins = Metric.counter("logins_total", {
  description: "Attempts to log in, by what was shown and by result.",
  incremental: true
})

const loginsBySize = Metric.counter("logins_by_realm_size_total", {
  description: "Completed logins, by how many users their realm has. Each realm is measured once an hour.",
  incremental: true
})

const rows = Metric.gauge("database_rows_estimated", {
  description: "How many rows the database believes a table to have, by table."
})

/** What is shown to log in. */
export type LoginMethod = "password" | "second_factor" | "api_key" | "passkey" | "email_code" | "provider"

/** What the metrics call the reasons why nobody is logged in. */
const results = {
  ApiKeyUnknown: "wrong",
  AuthProviderNotFound: "off",
  Blocked: "blocked",
  ExternalLoginRefused: "refused",
  HashingBusy: "overloaded",
  LoginsOff: "off",
  PasskeyRefused: "wrong",
  RealmNotFound: "off",
  Rejected: "invalid",
  StateNotFound: "expired",
  TokenNotFound: "expired",
  UserNotFound: "wrong",
  WrongCode: "wrong",
  WrongPassword: "wrong"
} as const

type Failure = { readonly _tag: keyof typeof results }

const resultOf = (exit: Exit.Exit<object, Failure>): string => {
  if (Exit.isSuccess(exit)) {
    const { value } = exit
    return "_tag" in value && value._tag === "MfaRequired" ? "second_factor_required" : "succeeded"
  }
  const reason = exit.cause.reasons.find(({ _tag }) => _tag === "Fail")
  return reason?._tag === "Fail" ? results[reason.error._tag] : "failed"
}

/** The classes of realms, by the least number of users; largest first. */
const sizes = [
  [10_000, "10000_or_more"],
  [1_000, "1000_to_9999"],
  [100, "100_to_999"],
  [0, "under_100"]
] as const

const sizeOf = (users: number): string => sizes.find(([least]) => users >= least)?.[1] ?? "under_100"

/** How many realms a process knows the size of, and how many wait to be measured. */
const MOST_REALMS = 10_000

/** How many realms are measured at once, so that a scrape takes the database some milliseconds. */
const BATCH = 50

/** For how long a size is good, and for how long the rows of tables. */
const SIZE_AGE = Duration.toMillis(Duration.hours(1))
const ROWS_AGE = Duration.toMillis(Duration.minutes(1))

/** Counts logins for the metrics. No label names a realm. */
export class LoginMetrics extends Context.Service<
  LoginMetrics,
  {
    /** Counts the login that an effect attempts. */
    count(
      method: LoginMethod
    ): <A extends object, E extends Failure, R>(login: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R | CurrentRealm>
    /** Measures some of the realms in which somebody has logged in, and how large tables are, unless the database does not answer. */
    readonly record: Effect.Effect<void>
  }
>()("sallyport/core/LoginMetrics") {
  static readonly layer = Layer.effect(
    LoginMetrics,
    Effect.gen(function* () {
      const repo = yield* RealmSizesRepo
      const clock = yield* Clock.Clock
      const context = yield* Effect.context<never>()
      const known = new LruMap<RealmId, { readonly key: RealmId; readonly size: string; readonly until: number }>(
        MOST_REALMS
      )
      /** Logins in realms that are yet to be measured. */
      const waiting = new Map<RealmId, number>()
      let rowsUntil = 0

      const counters = new Map(
        sizes.map(([, size]) => [size as string, Metric.withAttributes(loginsBySize, { realm_users: size })])
      )
      for (const counter of counters.values()) counter.updateUnsafe(0, context)

      const countIn = (realmId: RealmId) => {
        const size = known.get(realmId)
        if (size !== undefined && size.until > clock.currentTimeMillisUnsafe()) {
          counters.get(size.size)?.updateUnsafe(1, context)
        } else if (waiting.size < MOST_REALMS || waiting.has(realmId)) {
          waiting.set(realmId, (waiting.get(realmId) ?? 0) + 1)
        }
      }

      const measure = Effect.gen(function* () {
        const realmIds = [...waiting.keys()].slice(0, BATCH)
        if (realmIds.length === 0) return
        const found = yield* repo.users(realmIds, sizes[0][0])
        const until = clock.currentTimeMillisUnsafe() + SIZE_AGE
        for (const { id, users } of found ?? []) {
          const size = sizeOf(users)
          known.set({ key: id, size, until })
          counters.get(size)?.updateUnsafe(waiting.get(id) ?? 0, context)
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

      return LoginMetrics.of({
        count: (method) => {
          const counter = (result: string) => Metric.withAttributes(logins, { method, result })
          return (login) =>
            Effect.flatMap(CurrentRealm, ({ id }) =>
              Effect.onExit(login, (exit) => {
                const result = resultOf(exit)
                if (result === "succeeded") countIn(id)
                return Metric.update(counter(result), 1)
              })
            )
        },
        record: Effect.all([measure, recordRows], { concurrency: "unbounded", discard: true })
      })
    })
  )
}
