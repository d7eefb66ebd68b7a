import { DateTime, Effect, Layer, Semaphore } from "effect"
import { Actors } from "#actors/Actors"
import { advance } from "#actors/Advance"
import { Journal } from "#core/events/Journal"
import type { DnsPlan } from "#domain/DnsPlan"
import type { FaultPlan } from "#domain/Fault"
import { AlreadyAdvancing, ClockBackwards } from "#domain/TestClock"
import { HeaderNames } from "#http/Authentication"
import { TestClockRoutes } from "#http/clock/V2"
import { DnsRoutes } from "#http/dns/V2"
import { FaultRoutes } from "#http/faults/V2"
import { Dns } from "#platform/Dns"
import { Faults } from "#platform/Faults"
import { IdGenerator } from "#platform/IdGenerator"
import { TestClock } from "#platform/TestClock"
import { TestDns } from "#platform/TestDns"
import type { Options } from "./Options.ts"
import type { ShiftedClock } from "./ShiftedClock.ts"

/** The clock, the faults and the DNS records that callers of a service in test mode control. */
export interface TestMode {
  readonly clock: ShiftedClock
  readonly faults: FaultPlan
  readonly dns: DnsPlan
}

/** Answers all questions to DNS with the records that callers have set. */
export const plannedDns = (plan: DnsPlan) =>
  Layer.succeed(Dns, { txt: (name) => Effect.sync(() => [plan.answer(name)]) })

/** The clock of a service in test mode. Only one caller at a time may advance it. */
const testClock = (clock: ShiftedClock) =>
  Layer.effect(
    TestClock,
    Effect.gen(function* () {
      const actors = yield* Actors
      const journal = yield* Journal
      const ids = yield* IdGenerator
      const mutex = yield* Semaphore.make(1)
      const context = yield* Effect.context()

      /** Runs work like a background job: in the service's context, without the request's caller and origin. */
      const inBackground = Effect.updateContext<never, never>(() => context)

      const moveTo = Effect.fnUntraced(function* (at: DateTime.Utc) {
        const before = yield* ids.make("event")
        yield* inBackground(advance(actors, (to) => clock.setTo(to), at))
        return yield* journal.since(before)
      })

      const alone = <A, E>(advancing: Effect.Effect<A, E>) =>
        mutex
          .withPermitsIfAvailable(1)(advancing)
          .pipe(
            Effect.flatMap((done) =>
              done._tag === "None" ? Effect.fail(new AlreadyAdvancing()) : Effect.succeed(done.value)
            )
          )

      return TestClock.of({
        now: DateTime.now,
        advanceTo: (at) =>
          alone(
            Effect.flatMap(DateTime.now, (now) =>
              DateTime.isLessThan(at, now) ? Effect.fail(new ClockBackwards()) : moveTo(at)
            )
          ),
        advanceBy: (seconds) => alone(Effect.flatMap(DateTime.now, (now) => moveTo(DateTime.add(now, { seconds }))))
      })
    })
  )

/** The additional routes of a service in test mode. */
export const testRoutes = (options: Options, { clock, faults, dns }: TestMode) =>
  Layer.mergeAll(
    DnsRoutes.pipe(Layer.provide(Layer.succeed(TestDns, dns))),
    TestClockRoutes.pipe(Layer.provide(testClock(clock))),
    FaultRoutes.pipe(Layer.provide(Layer.succeed(Faults, faults)))
  ).pipe(Layer.provide(HeaderNames.layer(options.headerPrefix)))
