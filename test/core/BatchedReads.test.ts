import { expect, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { Realms } from "#core/realms/Realms"
import { defaultSettings } from "#domain/Realm"
import { Clients } from "#server/Sallyport"
import { Connections } from "#sql/Database"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { batchedReads } from "#store/statements/BatchedReads"
import { freshCore, withRealClock } from "../support/core.ts"

const newRealm = Effect.flatMap(Realms, (realms) =>
  realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
)

const Repo = RealmsRepo.layer.pipe(Layer.provide(Clients), Layer.provideMerge(freshCore))

const together = { concurrency: "unbounded" } as const

layer(Repo, withRealClock)("C215: batched reads", (it) => {
  /** Reads that return ten times the key, and the keys that each statement looked up. */
  const observedReads = Effect.gen(function* () {
    const { fast: sql } = yield* Connections
    const statements: Array<ReadonlyArray<number>> = []
    const read = batchedReads(sql, (keys: ReadonlyArray<number>) =>
      Effect.as(
        Effect.sync(() => statements.push(keys)),
        (key: number) => (keys.includes(key) ? 10 * key : Number.NaN)
      )
    )
    return { read, statements }
  })

  it.effect("return each caller its own result, with at most 100 keys per statement", () =>
    Effect.gen(function* () {
      const { read, statements } = yield* observedReads
      const keys = Array.from({ length: 150 }, (_, key) => key)
      expect(yield* Effect.forEach(keys, read, together)).toEqual(keys.map((key) => 10 * key))
      expect(statements.map(({ length }) => length)).toEqual([100, 50])
      expect([yield* read(7), yield* read(8)]).toEqual([70, 80])
      expect(statements.slice(2)).toEqual([[7], [8]])
    })
  )

  it.effect("continue for other callers if one caller is interrupted", () =>
    Effect.gen(function* () {
      const { read } = yield* observedReads
      const [gone, stays] = [yield* Effect.forkChild(read(1)), yield* Effect.forkChild(read(2))]
      yield* Fiber.interrupt(gone)
      expect(yield* Fiber.join(stays)).toBe(20)
    })
  )

  it.effect("use the connection of the current transaction, and see its uncommitted changes", () =>
    Effect.gen(function* () {
      const [repo, { fast: sql }] = [yield* RealmsRepo, yield* Connections]
      const [one, other] = [yield* newRealm, yield* newRealm]
      const found = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* repo.markDeleted(one.id, yield* DateTime.now)
          const { read, statements } = yield* observedReads
          yield* Effect.forEach([1, 2], read, together)
          expect(statements).toEqual([[1], [2]])
          return yield* Effect.forEach([one.id, other.id], (id) => repo.find(id), together)
        })
      )
      expect(found.map((realm) => realm?.id)).toEqual([undefined, other.id])
    })
  )
})
