import { Context, type DateTime, Effect, Layer } from "effect"
import type { Scope } from "effect/Scope"
import type { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import type { NodeClock } from "#core/nodes/NodeClock"
import type { ActorStates } from "#platform/ActorStates"
import type { WakeUps } from "#platform/WakeUps"
import { act, type Job, settle } from "./Actor.ts"
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

/** Every background job of the service. */
export class Actors extends Context.Service<
  Actors,
  {
    /** Runs every job until the scope closes. Any number of nodes may run them: they share the work. */
    readonly run: Effect.Effect<void, never, ActorStates | DatabaseOutage | NodeClock | WakeUps | Scope>
    /** When the next item of any job falls due. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
    /** Does everything that has fallen due, and what falls due because of that. Returns how many items that was. */
    readonly settle: Effect.Effect<number>
  }
>()("sallyport/actors/Actors") {
  /** `delivers`: whether the outboxes are emptied; otherwise they only fill (C193). */
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
          yield* DeleteOrgs,
          yield* DeleteUnusedClients,
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
