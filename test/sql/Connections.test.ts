import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Connections } from "#sql/Database"
import { freshConnections } from "../support/databases.ts"

const counter = Connections.use(({ fast: sql }) =>
  Effect.andThen(sql`create table counter (id int primary key, n int not null)`, sql`insert into counter values (1, 0)`)
)

const increment = Effect.fn(
  function* (pause: number) {
    const { fast: sql } = yield* Connections
    yield* sql`update counter set n = n + 1`
    yield* Effect.sleep(pause)
    yield* sql`update counter set n = n + 1`
  },
  (effect) => Connections.use(({ fast }) => fast.withTransaction(effect))
)

const value = Connections.use(({ fast }) => fast<{ n: number }>`select n from counter`)

it.live("transactions of 50 fibers do not interleave", () =>
  Effect.gen(function* () {
    const { fast: sql } = yield* Connections
    yield* counter
    const readThenWrite = Effect.gen(function* () {
      const [row] = yield* sql<{ n: number }>`select n from counter for update`
      yield* Effect.yieldNow
      yield* sql`update counter set n = ${(row?.n ?? 0) + 1}`
    })
    const each = (index: number) =>
      index % 5 === 0
        ? Effect.ignore(sql.withTransaction(Effect.andThen(readThenWrite, Effect.fail("rolled back"))))
        : sql.withTransaction(readThenWrite)
    const watch = Effect.repeat(value, { times: 50 })
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    yield* Effect.all([Effect.forEach(numbers, each, { concurrency: 50 }), watch], { concurrency: 2 })
    expect(yield* value).toEqual([{ n: 40 }])
  }).pipe(Effect.provide(freshConnections))
)

it.live("an interrupted transaction is rolled back, and its connection still works", () =>
  Effect.gen(function* () {
    yield* counter
    for (let round = 0; round < 10; round++) {
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(increment(1000)))
      yield* Effect.sleep(round)
      yield* Effect.forEach(fibers, Fiber.interrupt, { concurrency: "unbounded" })
    }
    yield* increment(0)
    expect(yield* value).toEqual([{ n: 2 }])
  }).pipe(Effect.provide(freshConnections))
)

it.live("a failed statement does not affect concurrent statements", () =>
  Effect.gen(function* () {
    const { fast: sql } = yield* Connections
    const seen = yield* Effect.forEach(
      [1, 0, 2, 0, 3],
      (n) => sql<{ n: number }>`select 6 / ${n}::int as n`.pipe(Effect.catch(() => Effect.succeed([]))),
      { concurrency: "unbounded" }
    )
    expect(seen).toEqual([[{ n: 6 }], [], [{ n: 3 }], [], [{ n: 2 }]])
  }).pipe(Effect.provide(freshConnections))
)
