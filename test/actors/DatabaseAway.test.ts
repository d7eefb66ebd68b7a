import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Queue, References } from "effect"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { act, type Job } from "#actors/Actor"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import { NodeClock } from "#core/nodes/NodeClock"
import { ActorStates } from "#platform/ActorStates"
import { WakeUps } from "#platform/WakeUps"
import { HealthRepo } from "#store/operations/HealthRepo"

/** A database that can become unavailable, a job that needs it, and the log lines. */
const setUp = () => {
  const database = { isAway: false }
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const log = Logger.make(({ message, cause, fiber }) => {
    const fields = fiber.getRef(References.CurrentLogAnnotations)
    lines.push({ message: [message].flat()[0], failures: cause.reasons.length, ...fields })
  })
  const away = new ConnectionError({ cause: new Error("connect ECONNREFUSED 127.0.0.1:5432") })
  const batch = Effect.suspend(() => (database.isAway ? Effect.die(new SqlError({ reason: away })) : Effect.succeed(0)))
  const job: Job = { name: "SweepEvents", batch, nextDue: Effect.undefined }
  const layer = Layer.mergeAll(
    ActorStates.layer,
    Layer.succeed(WakeUps, { wake: () => Effect.void, mailbox: () => Queue.dropping<"Wake">(1) }),
    Layer.mergeAll(DatabaseOutage.layer, NodeClock.layer).pipe(
      Layer.provide(
        Layer.succeed(HealthRepo, { reachable: Effect.sync(() => !database.isAway), time: Effect.undefined })
      )
    )
  ).pipe(Layer.provideMerge(Logger.layer([log])))
  return { database, lines, job, layer }
}

const outageLine = {
  message: "The database can't be reached.",
  cause: "connect ECONNREFUSED 127.0.0.1:5432",
  failures: 0
}
const recoveryLine = {
  message: "The database can be reached again.",
  refused_requests: 0,
  seconds: expect.any(Number),
  failures: 0
}

it.effect("a database outage logs one line for all failing background jobs, which resume afterwards", () => {
  const { database, lines, job, layer } = setUp()
  return Effect.gen(function* () {
    const states = yield* ActorStates
    yield* Effect.forkScoped(act(job))
    yield* Effect.forkScoped(act({ ...job, name: "DeleteOrgs" }))
    database.isAway = true
    yield* TestClock.adjust("30 seconds")
    expect(lines).toEqual([outageLine])
    expect((yield* states.all)["SweepEvents"]).toMatchObject({ ok: false })
    database.isAway = false
    yield* TestClock.adjust("1 second")
    expect(lines).toEqual([outageLine, recoveryLine])
    expect(yield* states.all).toMatchObject({ SweepEvents: { ok: true }, DeleteOrgs: { ok: true } })
    database.isAway = true
    yield* TestClock.adjust("6 seconds")
    expect(lines).toEqual([outageLine, recoveryLine, outageLine])
  }).pipe(Effect.scoped, Effect.provide(layer))
})

it.effect("a background job that gets no database connection logs one line without a stack trace", () => {
  const { lines, job, layer } = setUp()
  const refused = Object.assign(new Error("remaining connection slots are reserved\n  for superusers"), {
    code: "53300"
  })
  const exhausted = new SqlError({ reason: new UnknownError({ cause: refused }) })
  return Effect.gen(function* () {
    const states = yield* ActorStates
    yield* Effect.forkScoped(act({ ...job, batch: Effect.die(exhausted) }))
    yield* TestClock.adjust("0 seconds")
    expect(lines).toEqual([
      {
        message: "A background job failed and will be retried.",
        actor: "SweepEvents",
        cause: "remaining connection slots are reserved for superusers",
        restarts: 1,
        failures: 0
      }
    ])
    expect((yield* states.all)["SweepEvents"]).toMatchObject({ ok: false })
  }).pipe(Effect.scoped, Effect.provide(layer))
})

it.effect("a background job logs every failure with its cause while the database is available", () => {
  const { lines, job, layer } = setUp()
  const broken = new SqlError({ reason: new UnknownError({ cause: new Error("column does not exist") }) })
  const failed = { message: "A background job failed and will be retried.", actor: "SweepEvents", failures: 1 }
  return Effect.gen(function* () {
    yield* Effect.forkScoped(act({ ...job, batch: Effect.die(broken) }))
    yield* TestClock.adjust("2 seconds")
    expect(lines).toEqual([
      { ...failed, restarts: 1 },
      { ...failed, restarts: 2 }
    ])
  }).pipe(Effect.scoped, Effect.provide(layer))
})
