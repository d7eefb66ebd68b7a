import { Clock, Context, Effect, Layer } from "effect"
import { type Bits, encodeId, type Id, type Kind, next } from "#domain/Ids"
import { Entropy } from "./Entropy.ts"

/** New ids, in creation order over all kinds of this node, whatever its clock does (decision 11, RG-10). */
export class IdGenerator extends Context.Service<
  IdGenerator,
  {
    /** A new id: `make("user")` is a `UserId`. */
    readonly make: <K extends Kind>(kind: K) => Effect.Effect<Id<K>>
  }
>()("sallyport/platform/IdGenerator") {
  static readonly layer = Layer.effect(
    IdGenerator,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      let last: Bits | undefined

      const make = <K extends Kind>(kind: K) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          last = next(last, now, entropy.bytes(10))
          return encodeId(kind, last)
        })
      return IdGenerator.of({ make })
    })
  )
}
