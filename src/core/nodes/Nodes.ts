import { Clock, Context, Effect, Layer } from "effect"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { randomSecret } from "#platform/Tokens"
import { WakeUps } from "#platform/WakeUps"
import { type NodeRow, NodesRepo } from "#store/operations/NodesRepo"
import { BEAT, silenceWatch } from "./SilentNodes.ts"

/**
 * The processes that serve one database. Each says every two seconds that it lives: what a dead one has claimed is free within 15
 * seconds (C225). Each tells which encryption keys it has: none encrypts with a key that another lacks (C226).
 */
export class Nodes extends Context.Service<
  Nodes,
  {
    /** This process, under another name at each start. */
    readonly id: string
    /** Says that this node lives and with which keys, and looks at the others. */
    readonly beat: Effect.Effect<void>
    /** Beats again and again. */
    readonly watch: Effect.Effect<never>
    /** Frees what all others have claimed: where there can be no other, they are dead. */
    readonly succeed: Effect.Effect<void>
    /** Says that this node has ended, and has given back its claims. */
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
      const silent = silenceWatch()
      let beats = 0
      let heldBack: string | undefined

      const release = Effect.fnUntraced(function* (dead: string) {
        const count = yield* repo.release(dead, new Date(clock.currentTimeMillisUnsafe()))
        yield* repo.remove(dead)
        if (count === 0) return
        yield* Effect.logWarning("A node has died. What it was delivering is delivered by others.").pipe(
          Effect.annotateLogs({ node: dead, deliveries: count })
        )
        yield* wakeUps.wake("DeliverHooks")
        yield* wakeUps.wake("DeliverLogouts")
      })

      /** Encrypts with a key that the others have, too, and says so where that is not the first one. */
      const shareKeys = Effect.fnUntraced(function* (others: ReadonlyArray<NodeRow>) {
        const own = secrets.keyIds
        secrets.setSharedKeys(new Set(own.filter((key) => others.every(({ keyIds }) => keyIds.includes(key)))))
        const [first] = own
        const lacking = first === secrets.currentKeyId ? undefined : first
        if (lacking === heldBack) return
        heldBack = lacking
        yield* lacking === undefined
          ? Effect.logInfo("Every node has this node's first encryption key now, which encrypts from now on.")
          : Effect.logWarning(
              "Other nodes don't have this node's first encryption key, so that it encrypts with an older one until they do."
            ).pipe(Effect.annotateLogs({ key_id: lacking }))
      })

      const beat = Effect.gen(function* () {
        const nodes = yield* repo.beat({ id, beat: (beats += 1), keyIds: secrets.keyIds })
        if (nodes === undefined) return
        const others = nodes.filter((node) => node.id !== id)
        const dead = silent(others, Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
        yield* Effect.forEach(dead, release, { discard: true })
        yield* shareKeys(others.filter((node) => !dead.includes(node.id)))
      })

      return Nodes.of({
        id,
        beat,
        // What fails here fails for requests as well, which log it.
        watch: Effect.forever(
          Effect.andThen(
            Effect.sleep(BEAT),
            Effect.catchCause(beat, () => Effect.void)
          )
        ),
        succeed: Effect.gen(function* () {
          const nodes = yield* repo.beat({ id, beat: (beats += 1), keyIds: secrets.keyIds })
          for (const node of nodes ?? []) if (node.id !== id) yield* release(node.id)
        }),
        leave: repo.remove(id)
      })
    })
  )
}
