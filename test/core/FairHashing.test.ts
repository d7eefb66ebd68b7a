import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Hashing } from "#core/passwords/PasswordHasher"
import { HashingBusy } from "#domain/Password"
import { testParams } from "#domain/PasswordHash"
import { inRealm, makePasswords } from "../support/hashing.ts"

const A22 = "A".repeat(22)
const A43 = "A".repeat(43)
/** Costs more than eight of our own hashes. */
const costlyHash = `$argon2id$v=19$m=65536,t=5,p=1$${A22}$${A43}`
const busy = Exit.fail(new HashingBusy({ retryAfterSeconds: 1 }))

/** Forks an effect as the given realm. */
const forkIn =
  (realm: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.forkChild(inRealm(realm)(effect), { startImmediately: true })

describe("password hashing under load from one realm", () => {
  it.live("SEC-89: soon runs another realm's login while the first realm's queue is full", () =>
    Effect.gen(function* () {
      const passwords = yield* makePasswords({ slots: 1, queue: 200, params: testParams })
      const order: Array<string> = []
      const login = (realm: string) =>
        forkIn(realm)(
          passwords.withHashing((hashing) =>
            Effect.tap(hashing.hash("correct horse"), () => Effect.sync(() => order.push(realm)))
          )
        )
      const burst = yield* Effect.forEach(Array.from({ length: 100 }), () => login("rlm_a"))
      expect([passwords.inFlight, passwords.waiting]).toEqual([1, 99])
      const others = yield* Effect.forEach(["rlm_b", "rlm_c"], login)
      yield* Effect.forEach([...burst, ...others], Fiber.join)
      // One of the first realm's logins was being hashed, and another was next.
      expect(order.indexOf("rlm_b")).toBe(2)
      expect(order.indexOf("rlm_c")).toBeLessThanOrEqual(4)
      expect(order.filter((realm) => realm === "rlm_a")).toHaveLength(100)
      expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([102, 0, 0])
    })
  )

  it.live("SEC-89: reserves a slot next to expensive hashes for another realm's login", () =>
    Effect.gen(function* () {
      const passwords = yield* makePasswords({ slots: 2, queue: 200, params: testParams })
      const done: Array<string> = []
      const as = (name: string) => Effect.tap(() => Effect.sync(() => done.push(name)))
      const burst = yield* Effect.forEach(Array.from({ length: 6 }), () =>
        forkIn("rlm_a")(passwords.verify(costlyHash, "contrasen\u0303a").pipe(as("rlm_a")))
      )
      expect([passwords.inFlight, passwords.waiting]).toEqual([1, 5])
      const others = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        forkIn("rlm_b")(passwords.hash("correct horse").pipe(as("rlm_b")))
      )
      expect(passwords.inFlight).toBe(2)
      yield* Effect.forEach(others, Fiber.join)
      // Only one of the first realm's six hashes has been started.
      expect(done).toEqual(Array.from({ length: 8 }, () => "rlm_b"))
      yield* Fiber.interruptAll(burst)
      expect([passwords.inFlight, passwords.waiting]).toEqual([0, 0])
    })
  )

  it.live("SEC-89: limits a realm to three quarters of the queue", () =>
    Effect.gen(function* () {
      const passwords = yield* makePasswords({ slots: 1, queue: 8, params: testParams })
      const door = yield* Deferred.make<void>()
      const hold = (realm: string) => forkIn(realm)(passwords.withHashing(() => Deferred.await(door)))
      // Three of four running and four of five waiting.
      const first = yield* Effect.forEach(Array.from({ length: 8 }), () => hold("rlm_a"))
      expect(passwords.waiting).toBe(7)
      const second = yield* Effect.forEach(Array.from({ length: 3 }), () => hold("rlm_b"))
      expect(passwords.waiting).toBe(9)
      const exits = [first[7], second[2]].flatMap((fiber) => (fiber === undefined ? [] : [fiber.pollUnsafe()]))
      expect(exits).toEqual([busy, busy])
      yield* Deferred.succeed(door, undefined)
      yield* Effect.forEach([...first.slice(0, 7), ...second.slice(0, 2)], Fiber.join)
      expect(passwords.waiting).toBe(0)
    })
  )

  it.effect("SEC-89: rejects callers after 2.5 seconds without a turn", () =>
    Effect.gen(function* () {
      const passwords = yield* makePasswords({ slots: 1, queue: 200, params: testParams })
      const door = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const use = (name: string) => (_: Hashing) =>
        Effect.andThen(
          Effect.sync(() => begun.push(name)),
          Deferred.await(door)
        )
      const inside = yield* Effect.forEach(["a1", "a2", "a3"], (name) =>
        forkIn("rlm_a")(passwords.withHashing(use(name)))
      )
      const late = yield* forkIn("rlm_a")(passwords.withHashing(use("late")))
      yield* TestClock.adjust("2 seconds")
      const inTime = yield* forkIn("rlm_a")(passwords.withHashing(use("in time")))
      expect([late.pollUnsafe(), passwords.waiting]).toEqual([undefined, 5])
      yield* TestClock.adjust("500 millis")
      expect(yield* Fiber.await(late)).toEqual(busy)
      expect([begun, passwords.waiting]).toEqual([["a1", "a2", "a3"], 4])
      yield* Deferred.succeed(door, undefined)
      yield* Effect.forEach([...inside, inTime], Fiber.join)
      expect([begun, passwords.waiting]).toEqual([["a1", "a2", "a3", "in time"], 0])
    })
  )
})
