import { Context, Effect, Latch, Layer } from "effect"
import { type ActorState, ActorStates } from "#platform/ActorStates"
import { Secrets } from "#platform/Secrets"
import { HealthRepo } from "#store/operations/HealthRepo"
import { NodeClock } from "./NodeClock.ts"

/** The readiness of this node, as reported by `/readyz`. */
export interface Readiness {
  readonly ready: boolean
  readonly database: "ok" | "unreachable"
  /** Whether this node's clock agrees with the database's, and how far ahead it is if not (C224). */
  readonly clock: "ok" | "wrong"
  readonly clockSkewSeconds: number
  readonly draining: boolean
  /** The IDs of encryption keys that this node lacks, but needs to read stored values (C100). */
  readonly missingKeys: ReadonlyArray<string>
  /** The health of background jobs. It does not affect readiness. */
  readonly actors: Readonly<Record<string, ActorState>>
}

/** Reports whether this node should receive requests. */
export class Health extends Context.Service<
  Health,
  {
    readonly readiness: Effect.Effect<Readiness>
    /** The IDs of this node's current encryption keys. The first key encrypts new secrets. */
    readonly encryptionKeys: () => ReadonlyArray<string>
    /** Whether this node delivers emails, webhooks and logout notices (C193). */
    readonly delivers: boolean
    /** Marks the node as not ready, because it is about to stop. */
    readonly drain: Effect.Effect<void>
    /** Completes when the node is about to stop, so that long waits can end. */
    readonly stopping: Effect.Effect<void>
  }
>()("sallyport/core/Health") {
  static readonly layer = ({ delivers }: { readonly delivers: boolean }) =>
    Layer.effect(
      Health,
      Effect.gen(function* () {
        const repo = yield* HealthRepo
        const secrets = yield* Secrets
        const states = yield* ActorStates
        const stopping = yield* Latch.make()
        const nodeClock = yield* NodeClock
        return Health.of({
          readiness: Effect.gen(function* () {
            const reachable = yield* repo.reachable
            const missingKeys = yield* secrets.missingKeys
            const draining = stopping.isOpen()
            const isWrong = nodeClock.isWrong()
            return {
              ready: reachable && !isWrong && !draining && missingKeys.length === 0,
              database: reachable ? ("ok" as const) : ("unreachable" as const),
              clock: isWrong ? ("wrong" as const) : ("ok" as const),
              clockSkewSeconds: nodeClock.aheadSeconds() ?? 0,
              draining,
              missingKeys,
              actors: yield* states.all
            }
          }),
          encryptionKeys: () => [secrets.currentKeyId, ...secrets.keyIds.filter((id) => id !== secrets.currentKeyId)],
          delivers,
          drain: Effect.asVoid(stopping.open),
          stopping: stopping.await
        })
      })
    )
}
