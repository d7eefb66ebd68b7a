import { expect, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { act, type Job } from "#actors/Actor"
import { deliverEach } from "#actors/DeliverEach"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import { NodeClock } from "#core/nodes/NodeClock"
import { ActorStates } from "#platform/ActorStates"
import { WakeUps } from "#platform/WakeUps"
import { HealthRepo } from "#store/operations/HealthRepo"

/** A database whose clock may differ from this node's by hours. */
const setUp = () => {
  const database = { hoursAhead: 0 }
  const machine = Clock.Clock.defaultValue()
  const time = Effect.sync(() => machine.currentTimeMillisUnsafe() + database.hoursAhead * 3_600_000)
  const layer = Layer.mergeAll(
    ActorStates.layer,
    Layer.succeed(WakeUps, { wake: () => Effect.void, mailbox: () => Queue.dropping<"Wake">(1) }),
    Layer.mergeAll(DatabaseOutage.layer, NodeClock.layer).pipe(
      Layer.provide(Layer.succeed(HealthRepo, { reachable: Effect.succeed(true), time }))
    )
  )
  return { database, layer }
}

const jobRunning = (batch: Job["batch"]): Effect.Effect<Job, never, DatabaseOutage | WakeUps> =>
  Effect.succeed({ name: "SweepSessions", batch, nextDue: Effect.undefined })

/** An outbox with one delivery, which is attempted in its own fiber. */
const outbox = (attempt: Effect.Effect<number>) =>
  Effect.gen(function* () {
    return deliverEach({
      name: "DeliverHooks",
      receivers: Effect.map(DateTime.now, (dueAt) => [{ dueAt }]),
      textOf: () => "receiver",
      attemptDue: () => Effect.map(attempt, (attempts) => ({ attempts, hasDelivered: false })),
      logFailure: () => Effect.void,
      outage: yield* DatabaseOutage,
      wakeUps: yield* WakeUps
    })
  })

it.effect.each([
  ["a background job", jobRunning],
  ["a delivery", outbox]
] as const)(
  "RG-10, C247: %s in progress during a clock jump reads the time only after the clock is correct again",
  ([, jobOf]) => {
    const { database, layer } = setUp()
    const times: Array<number> = []
    return Effect.gen(function* () {
      const { check } = yield* NodeClock
      const read = Effect.map(DateTime.now, (now) => times.push(now.epochMilliseconds))
      yield* check
      const jump = Effect.suspend(() => {
        database.hoursAhead = 31
        return check
      })
      const work = Effect.suspend(() =>
        times.length > 0 ? Effect.succeed(0) : Effect.as(Effect.andThen(read, Effect.andThen(jump, read)), 1)
      )
      const acting = yield* Effect.forkScoped(act(yield* jobOf(work)))
      yield* TestClock.adjust("1 minute")
      expect(times).toEqual([0])
      database.hoursAhead = 0
      yield* check
      yield* TestClock.adjust("1 second")
      expect(times).toEqual([0, 60_500])
      yield* Fiber.interrupt(acting)
    }).pipe(Effect.provide(layer))
  }
)
