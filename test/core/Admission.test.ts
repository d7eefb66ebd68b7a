import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type AdmissionLimits, InTransaction, makeAdmission } from "#platform/Admission"
import { integer } from "../support/arbitraries.ts"

const limits: AdmissionLimits = { name: "test", concurrency: 4, queueLimit: 8, maxWait: Duration.minutes(10) }

/** An admission whose jobs end when the test ends them. */
const heldAdmission = (more: Partial<AdmissionLimits> = {}) => {
  const admission = makeAdmission({ ...limits, ...more })
  const begun: Array<string> = []
  const arrive = Effect.fnUntraced(function* (key: string) {
    const ended = yield* Deferred.make<void>()
    const work = Effect.andThen(
      Effect.sync(() => void begun.push(key)),
      Deferred.await(ended)
    )
    const fiber = yield* Effect.forkChild(Effect.result(admission.run(key, work)), { startImmediately: true })
    const end = Deferred.succeed(ended, undefined)
    const outcome = Fiber.join(fiber)
    const done = Effect.map(Effect.andThen(end, outcome), ({ _tag }) => _tag)
    return { end, hangUp: Fiber.interrupt(fiber), outcome, done }
  })
  const arriveAll = (keys: ReadonlyArray<string>) => Effect.forEach(keys, arrive)
  return { admission, begun, arrive, arriveAll, counts: () => [admission.running, admission.waiting] }
}

const keysOf = (length: number, key: (n: number) => string) => Array.from({ length }, (_, n) => key(n))

const allDone = <A>(jobs: ReadonlyArray<{ readonly done: Effect.Effect<A> }>) =>
  Effect.forEach(jobs, ({ done }) => done, { concurrency: "unbounded" })

describe("SEC-110: admission control", () => {
  it.effect("runs and queues jobs up to the limits, and rejects the rest immediately with a retry time", () =>
    Effect.gen(function* () {
      const { arriveAll, counts } = heldAdmission({ queueLimit: 2 })
      const all = yield* arriveAll(keysOf(8, String))
      expect(counts()).toEqual([4, 2])
      for (const late of all.slice(6)) {
        expect(yield* late.outcome).toMatchObject({ _tag: "Failure", failure: { retryAfterSeconds: 1 } })
      }
      for (const one of all.slice(0, 6)) expect(yield* one.done).toBe("Success")
      expect(counts()).toEqual([0, 0])
    })
  )

  it.effect("limits a single key to three quarters of running and waiting jobs", () =>
    Effect.gen(function* () {
      const { arrive, arriveAll, counts } = heldAdmission()
      const flood = yield* arriveAll(keysOf(20, () => "flood"))
      expect(counts()).toEqual([3, 6])
      const other = yield* arrive("other")
      expect(counts()).toEqual([4, 6])
      expect(yield* other.done).toBe("Success")
      const outcomes = yield* allDone(flood)
      expect(outcomes.filter((tag) => tag === "Success").length).toBe(9)
    })
  )

  it.effect("never queues a caller inside a transaction unless queueInTransaction is set", () =>
    Effect.gen(function* () {
      const inside = Effect.fnUntraced(function* (more: Partial<AdmissionLimits>) {
        const { arrive, admission } = heldAdmission({ concurrency: 1, queueLimit: 0, ...more })
        const first = yield* arrive("first")
        const second = yield* Effect.result(admission.run("second", Effect.succeed("done"))).pipe(
          Effect.provideService(InTransaction, true)
        )
        return [second._tag, yield* first.done]
      })
      expect(yield* inside({})).toEqual(["Success", "Success"])
      expect(yield* inside({ queueInTransaction: true })).toEqual(["Failure", "Success"])
    })
  )

  it.effect("alternates between waiting keys and runs the oldest job of each key first", () =>
    Effect.gen(function* () {
      const { arrive, arriveAll, begun, counts } = heldAdmission({ concurrency: 1, queueLimit: 100 })
      const first = yield* arrive("a")
      const waiting = yield* arriveAll(["a", "a", "a", "b", "c", "c"])
      yield* allDone([first, ...waiting])
      expect(begun).toEqual(["a", "a", "b", "c", "a", "c", "a"])
      expect(counts()).toEqual([0, 0])
    })
  )

  it.effect("removes a caller from the queue when it has waited too long or was interrupted", () =>
    Effect.gen(function* () {
      const { arrive, counts, begun } = heldAdmission({ concurrency: 1, maxWait: Duration.seconds(1) })
      const first = yield* arrive("a")
      const second = yield* arrive("b")
      yield* TestClock.adjust("999 millis")
      expect(counts()).toEqual([1, 1])
      yield* TestClock.adjust("1 millis")
      expect(yield* second.outcome).toMatchObject({ _tag: "Failure", failure: { retryAfterSeconds: 1 } })
      expect(counts()).toEqual([1, 0])
      yield* first.hangUp
      expect([counts(), begun]).toEqual([[0, 0], ["a"]])
      const patient = heldAdmission({ concurrency: 1 })
      const [one, two] = [yield* patient.arrive("a"), yield* patient.arrive("b")]
      yield* two.hangUp
      expect(patient.counts()).toEqual([1, 0])
      expect(yield* one.done).toBe("Success")
    })
  )

  it.effect("runs one job per key at a time and limits the waiting jobs per key", () =>
    Effect.gen(function* () {
      const { arrive, arriveAll, counts } = heldAdmission({
        concurrency: Number.POSITIVE_INFINITY,
        concurrencyPerKey: 1,
        queueLimitPerKey: 2
      })
      const jobs = yield* arriveAll(keysOf(4, () => "one"))
      const other = yield* arrive("other")
      expect(counts()).toEqual([2, 2])
      const [refused] = jobs.splice(3)
      expect(yield* refused?.outcome ?? Effect.void).toMatchObject({ _tag: "Failure" })
      for (const one of [...jobs, other]) expect(yield* one.done).toBe("Success")
    })
  )

  const Step = Schema.Struct({
    key: Schema.Literals(["a", "b", "c"]),
    leaves: integer(0, 20),
    hangsUp: Schema.Boolean
  })

  it.effect.prop(
    "respects its limits and releases everything for any sequence of arrivals and departures",
    [Schema.Array(Step).check(Schema.isMaxLength(60))],
    ([steps]) =>
      Effect.gen(function* () {
        const { arrive, admission, counts } = heldAdmission()
        const here: Array<Effect.Success<ReturnType<typeof arrive>>> = []
        for (const { key, leaves, hangsUp } of steps) {
          here.push(yield* arrive(key))
          const [one] = leaves < here.length ? here.splice(leaves, 1) : []
          if (one !== undefined) yield* hangsUp ? one.hangUp : one.end
          expect(admission.running).toBeLessThanOrEqual(4)
          expect(admission.waiting).toBeLessThanOrEqual(8)
        }
        for (const { hangUp } of here) yield* hangUp
        expect(counts()).toEqual([0, 0])
      }),
    { arbitrary: { runs: 50, size: 60 } }
  )
})
