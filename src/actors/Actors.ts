import { Context, type DateTime, Effect, Layer } from "effect"
import type { Scope } from "effect/Scope"
import type { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import type { NodeClock } from "#core/nodes/NodeClock"
import type { ActorStates } from "#platform/ActorStates"
import type { WakeUps } from "#platform/WakeUps"
import { act, type Job, settle } from "./Actor.ts"
import { CheckDomains } from "./CheckDomains.ts"
import { DeleteAccounts } from "./DeleteAccounts.ts"
import { DeleteOrgs } from "./DeleteOrgs.ts"
import { DeleteUnusedClients } from "./DeleteUnusedClients.ts"
import { DeliverHooks } from "./DeliverHooks.ts"
import { DeliverLogouts } from "./DeliverLogouts.ts"
import { earliest } from "./Earliest.ts"
import { ExpireInvitations } from "./ExpireInvitations.ts"
import { ExpireMemberships } from "./ExpireMemberships.ts"
import { RecordRefusedLogins } from "./RecordRefusedLogins.ts"
import { ResetRealms } from "./ResetRealms.ts"
import { RetireJwtKeys } from "./RetireJwtKeys.ts"
import { RewrapSecrets } from "./RewrapSecrets.ts"
import { SweepEvents } from "./SweepEvents.ts"
import { SweepRealmChanges } from "./SweepRealmChanges.ts"
import { SweepSessions } from "./SweepSessions.ts"

/** All background jobs of the service. */
export class Actors extends Context.Service<
  Actors,
  {
    /** Runs all jobs until the scope closes. Any number of nodes may run them and share the work. */
    readonly run: Effect.Effect<void, never, ActorStates | DatabaseOutage | NodeClock | WakeUps | Scope>
    /** When the next item of any job is due. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
    /** Processes all due items, including those that become due as a result. Returns the number of items. */
    readonly settle: Effect.Effect<number>
  }
>()("sallyport/actors/Actors") {
  /** `delivers` enables the delivery of webhooks and logout notices. If false, they only accumulate in the outboxes (C193). */
  static readonly layer = ({ delivers }: { readonly delivers: boolean }) =>
    Layer.effect(
      Actors,
      Effect.gen(function* () {
        const jobs: ReadonlyArray<Job> = [
          yield* ExpireInvitations,
          yield* ExpireMemberships,
          yield* SweepSessions,
          yield* SweepEvents,
          yield* SweepRealmChanges,
          yield* RetireJwtKeys,
          yield* ResetRealms,
          yield* DeleteAccounts,
          yield* DeleteOrgs,
          yield* DeleteUnusedClients,
          yield* CheckDomains,
          yield* RewrapSecrets,
          yield* RecordRefusedLogins,
          ...(delivers ? [yield* DeliverHooks, yield* DeliverLogouts] : [])
        ]
        const round = Effect.map(
          Effect.forEach(jobs, (job) => settle(job)),
          (counts) => counts.reduce((sum, n) => sum + n, 0)
        )

        return Actors.of({
          run: Effect.forEach(jobs, (job) => Effect.forkScoped(act(job)), { discard: true }),
          nextDue: Effect.map(
            Effect.forEach(jobs, ({ nextDue }) => nextDue),
            earliest
          ),
          settle: Effect.gen(function* () {
            let done = 0
            for (let some = yield* round; some > 0; some = yield* round) done += some
            return done
          })
        })
      })
    )
}
