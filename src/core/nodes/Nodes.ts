import { Clock, Context, Effect, Layer } from "effect"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { randomSecret } from "#platform/Tokens"
import { WakeUps } from "#platform/WakeUps"
import { type NodeRow, NodesRepo } from "#store/operations/NodesRepo"
import { HEARTBEAT_MILLIS, silenceDetector } from "./SilenceDetector.ts"

/**
 * The nodes are the processes that use the same database. Each node sends a heartbeat every two seconds. Deliveries claimed by
 * a node are released within 15 seconds after it dies (C225). Each node also publishes the IDs of its encryption keys, so that
 * no node encrypts with a key that another node lacks (C226).
 */
export class Nodes extends Context.Service<
  Nodes,
  {
    /** The ID of this process, new at each start. */
    readonly id: string
    /** Sends one heartbeat with this node's key IDs, and checks the other nodes. */
    readonly beat: Effect.Effect<void>
    /** Sends heartbeats, forever. */
    readonly watch: Effect.Effect<never>
    /**
     * Releases the claims of all other nodes. For databases that only one process can use at a time, so that all other nodes
     * must be dead.
     */
    readonly releaseOthers: Effect.Effect<void>
    /** Removes this node. It must have released its claims before. */
    readonly leave: Effect.Effect<void>
  }
>()("sallyport/core/Nodes") {
  static readonly layer = Layer.effect(
    Nodes,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const repo = yield* NodesRepo
      const secrets = yield* Secrets
      const wakeUps = yield* WakeUps
      const id = randomSecret(yield* Entropy, 9)
      const findSilent = silenceDetector()
      let beats = 0
      let excludedKey: string | undefined

      const release = Effect.fnUntraced(function* (dead: string) {
        const count = yield* repo.release(dead, new Date(clock.currentTimeMillisUnsafe()))
        yield* repo.remove(dead)
        if (count === 0) return
        yield* Effect.logWarning("A node has died. Other nodes take over its deliveries.").pipe(
          Effect.annotateLogs({ node: dead, deliveries: count })
        )
        yield* wakeUps.wake("DeliverHooks")
        yield* wakeUps.wake("DeliverLogouts")
      })

      /**
       * Makes this node encrypt only with keys that all nodes have. Logs when its first key is excluded, and when it is no
       * longer excluded.
       */
      const shareKeys = Effect.fnUntraced(function* (others: ReadonlyArray<NodeRow>) {
        const own = secrets.keyIds
        secrets.setSharedKeys(new Set(own.filter((key) => others.every(({ keyIds }) => keyIds.includes(key)))))
        const [first] = own
        const unsharedKey = first === secrets.currentKeyId ? undefined : first
        if (unsharedKey === excludedKey) return
        excludedKey = unsharedKey
        yield* unsharedKey === undefined
          ? Effect.logInfo("All nodes now have this node's first encryption key, so it is used for encryption.")
          : Effect.logWarning(
              "Some nodes don't have this node's first encryption key, so an older key is used for encryption until they do."
            ).pipe(Effect.annotateLogs({ key_id: unsharedKey }))
      })

      const beat = Effect.gen(function* () {
        const nodes = yield* repo.beat({ id, beat: (beats += 1), keyIds: secrets.keyIds })
        if (nodes === undefined) return
        const others = nodes.filter((node) => node.id !== id)
        const dead = findSilent(others, Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
        yield* Effect.forEach(dead, release, { discard: true })
        yield* shareKeys(others.filter((node) => !dead.includes(node.id)))
      })

      return Nodes.of({
        id,
        beat,
        // If this fails, requests fail too, and they log the failure.
        watch: Effect.forever(
          Effect.andThen(
            Effect.sleep(HEARTBEAT_MILLIS),
            Effect.catchCause(beat, () => Effect.void)
          )
        ),
        releaseOthers: Effect.gen(function* () {
          const nodes = yield* repo.beat({ id, beat: (beats += 1), keyIds: secrets.keyIds })
          for (const node of nodes ?? []) if (node.id !== id) yield* release(node.id)
        }),
        leave: repo.remove(id)
      })
    })
  )
}
