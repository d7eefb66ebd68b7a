import { Effect } from "effect"
import { Deliveries } from "#core/hooks/Deliveries"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import { WakeUps } from "#platform/WakeUps"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { deliverEach } from "./DeliverEach.ts"

/** Delivers the events in the outbox to their hooks. */
export const DeliverHooks = Effect.gen(function* () {
  const repo = yield* DeliveriesRepo
  const deliveries = yield* Deliveries
  return deliverEach({
    name: "DeliverHooks",
    receivers: repo.dueHooks,
    textOf: ({ realmId, id }) => `${realmId} ${id}`,
    attemptDue: deliveries.attemptDue,
    logFailure: ({ id }, cause) =>
      Effect.logError("The deliveries of a hook failed and will be retried.", cause).pipe(
        Effect.annotateLogs({ hook: id })
      ),
    outage: yield* DatabaseOutage,
    wakeUps: yield* WakeUps
  })
})
