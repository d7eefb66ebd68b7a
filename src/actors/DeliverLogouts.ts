import { Effect } from "effect"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import { BackchannelLogouts } from "#core/oauth/BackchannelLogouts"
import { WakeUps } from "#platform/WakeUps"
import { OAuthLogoutsRepo } from "#store/oauth/OAuthLogoutsRepo"
import { deliverEach } from "./DeliverEach.ts"

/** Notifies OAuth clients by back-channel logout that sessions have ended. */
export const DeliverLogouts = Effect.gen(function* () {
  const repo = yield* OAuthLogoutsRepo
  const logouts = yield* BackchannelLogouts
  return deliverEach({
    name: "DeliverLogouts",
    receivers: repo.dueClients,
    textOf: ({ realmId, clientId }) => `${realmId} ${clientId}`,
    attemptDue: logouts.attemptDue,
    logFailure: ({ clientId }, cause) =>
      Effect.logError("The logout notices of a client failed and will be retried.", cause).pipe(
        Effect.annotateLogs({ client: clientId })
      ),
    outage: yield* DatabaseOutage,
    wakeUps: yield* WakeUps
  })
})
