import { Effect, Exit, Layer } from "effect"
import { unavailabilityIn } from "#platform/Transaction"
import { ReplicaRepo } from "#store/operations/ReplicaRepo"
import type { Settings } from "../Config.ts"
import { Clients } from "../layers/Store.ts"
import { connectionsOf } from "./DatabaseInspection.ts"

/** The state of a replica. `missing`: how many bytes of the primary's changes it has not replayed yet. */
export type ReplicaState =
  | { readonly _tag: "Away"; readonly cause: string }
  | { readonly _tag: "NoReplica" }
  | { readonly _tag: "Other" }
  | { readonly _tag: "Follows"; readonly missing: bigint }

/** The result of inspecting a replica. `describe`: the server and database, without a password. */
export interface ReplicaInspection {
  readonly describe: string
  readonly state: ReplicaState
}

/**
 * Inspects the replica of these settings as a node would use it. Returns undefined if there is none. Fails if the
 * database can't be used.
 */
export const inspectReplica = (settings: Settings) =>
  Effect.gen(function* () {
    const { replica, committed, withReplica } = yield* ReplicaRepo
    if (replica === undefined) return undefined
    const needed = yield* committed
    // A node also waits this long for the replica.
    yield* Effect.sleep(replica.maxLagMillis)
    const found = yield* Effect.exit(withReplica(({ replayed }) => replayed))
    const stateOf = (): ReplicaState => {
      if (Exit.isFailure(found))
        return { _tag: "Away", cause: unavailabilityIn(found.cause)?.reason ?? "its user may not" }
      const { at, history, isReplica } = found.value
      if (!isReplica) return { _tag: "NoReplica" }
      if (history !== needed.history) return { _tag: "Other" }
      return { _tag: "Follows", missing: at < needed.at ? needed.at - at : 0n }
    }
    return { describe: replica.describe, state: stateOf() } satisfies ReplicaInspection
  }).pipe(Effect.provide(ReplicaRepo.layer.pipe(Layer.provide(Clients), Layer.provide(connectionsOf(settings)))))
