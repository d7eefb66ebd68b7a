import { Clock, Context, Effect, Layer } from "effect"
import { encodeId, type Id, type IdBits, type Kind, nextBits } from "#domain/Ids"
import { Entropy } from "./Entropy.ts"

/** Generates ids that increase across all kinds on a node, no matter what its clock does (C11, RG-10). */
export class IdGenerator extends Context.Service<
  IdGenerator,
  {
    /** Generates an id. `make("user")` returns a `UserId`. */
    readonly make: <K extends Kind>(kind: K) => Effect.Effect<Id<K>>
    /** Like `make`, for callers that already know the time, in Unix milliseconds. */
    readonly makeAt: <K extends Kind>(kind: K, nowMillis: number) => Id<K>
  }
>()("sallyport/platform/IdGenerator") {
  static readonly layer = Layer.effect(
    IdGenerator,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      let last: IdBits | undefined

      const makeAt = <K extends Kind>(kind: K, nowMillis: number) => {
        last = nextBits(last, nowMillis, entropy.bytes(10))
        return encodeId(kind, last)
      }
      const make = <K extends Kind>(kind: K) =>
        Clock.clockWith((clock) => Effect.succeed(makeAt(kind, clock.currentTimeMillisUnsafe())))
      return IdGenerator.of({ make, makeAt })
    })
  )
}
