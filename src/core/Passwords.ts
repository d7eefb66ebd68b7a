import { availableParallelism } from "node:os"
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Semaphore } from "effect"
import { HashingBusy, isHashable, normalPassword } from "#domain/Password"
import { Entropy } from "./Entropy.ts"

// argon2id is the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }
const saltLength = 16

/** Password hashes: argon2id in few slots, so that a burst of logins leaves the rest fast (decision 23, SEC-05). */
export class Passwords extends Context.Service<
  Passwords,
  {
    /** The argon2id PHC string of a password that `checkPassword` let pass; dies of one that cannot be hashed. */
    readonly hash: (password: string) => Effect.Effect<string, HashingBusy>
    /** Whether the password is the one of this argon2 PHC string. False at once for what is nobody's password. */
    readonly verify: (hash: string, password: string) => Effect.Effect<boolean, HashingBusy>
    /** How many hashes were computed so far, to make or to verify. */
    readonly hashed: number
    /** How many are being computed now. */
    readonly inFlight: number
    /** How many wait for a slot now. */
    readonly waiting: number
  }
>()("sallyport/core/Passwords") {
  /** `slots`: computed at once (default: cores, at most 2); `queue`: may wait, the next one is refused (default 200). */
  static readonly layer = ({ slots = Math.min(availableParallelism(), 2), queue = 200 } = {}) =>
    Layer.effect(
      Passwords,
      Effect.gen(function* () {
        const entropy = yield* Entropy
        const semaphore = yield* Semaphore.make(slots)
        let admitted = 0
        let inFlight = 0
        let hashed = 0

        const admit = Effect.suspend(() => {
          if (admitted >= slots + queue) return Effect.fail(new HashingBusy({ retryAfterSeconds: 1 }))
          admitted += 1
          return Effect.void
        })
        const leave = Effect.sync(() => {
          admitted -= 1
        })

        const compute = <A>(work: () => Promise<A>) =>
          Effect.suspend(() => {
            inFlight += 1
            hashed += 1
            return Effect.promise(work)
          }).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                inFlight -= 1
              })
            )
          )
        // Native work cannot be stopped: its slot is taken until it ends, even when nobody waits for it any more.
        const inSlot = <A>(work: () => Promise<A>) =>
          Effect.acquireUseRelease(
            admit,
            () => semaphore.withPermit(Effect.uninterruptible(compute(work))),
            () => leave
          )

        return Passwords.of({
          hash: (password) =>
            isHashable(password)
              ? inSlot(() => argon2Hash(normalPassword(password), { ...cost, salt: entropy.bytes(saltLength) }))
              : Effect.die(new Error("A password that was not checked came to be hashed.")),
          verify: (hash, password) =>
            isHashable(password) ? inSlot(() => argon2Verify(hash, normalPassword(password))) : Effect.succeed(false),
          get hashed() {
            return hashed
          },
          get inFlight() {
            return inFlight
          },
          get waiting() {
            return admitted - inFlight
          }
        })
      })
    )
}
