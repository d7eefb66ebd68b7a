import { expect, it } from "@effect/vitest"
import { Cause, Clock, DateTime, Effect, Layer } from "effect"
import { MachineClock, NodeClock } from "#core/nodes/NodeClock"
import { Realms } from "#core/realms/Realms"
import { defaultSettings } from "#domain/Realm"
import { unavailabilityIn } from "#platform/Transaction"
import { ShiftedClock } from "#server/ShiftedClock"
import { Connections } from "#sql/Database"
import { testCore } from "../../support/core.ts"
import { freshConnections } from "../../support/databases.ts"

it.live("RG-10, C224: an operation during a clock jump never writes the wrong time", () => {
  const clock = new ShiftedClock(Clock.Clock.defaultValue())
  return Effect.gen(function* () {
    const { create } = yield* Realms
    const { check } = yield* NodeClock
    const { fast: sql } = yield* Connections
    const counts = sql`select (select count(*) from realms) as realms, (select count(*) from events) as events`
    const settings = { ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" as const }
    yield* check
    yield* create(settings)
    const before = yield* counts
    clock.setTo(DateTime.add(yield* DateTime.now, { hours: 5 }))
    const cause = yield* Effect.flip(Effect.sandbox(create(settings)))
    expect(Cause.hasDies(cause)).toBe(true)
    expect(unavailabilityIn(cause)).toMatchObject({ code: "clock_wrong", retryAfterSeconds: 1 })
    expect(yield* counts).toEqual(before)
  }).pipe(
    Effect.provide(testCore.pipe(Layer.provide(Layer.succeed(MachineClock, clock)))),
    Effect.provide(freshConnections)
  )
})
