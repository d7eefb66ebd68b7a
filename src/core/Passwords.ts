import { availableParallelism } from "node:os"
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { HashingBusy, isHashable, normalPassword } from "#domain/Password"
import { currentCost, isCurrentHash, parsePasswordHash } from "#domain/PasswordHash"
import { Entropy } from "./Entropy.ts"
import { isMadeOf } from "./ForeignHashes.ts"

/** What a hash takes, until it is known how long it takes here, in milliseconds. */
const USUAL_MILLIS = 10

/** What can be hashed by one who has a place in the queue. */
export interface Hashing {
  /** The argon2id PHC string of a password that `checkPassword` let pass; dies of one that cannot be hashed. */
  readonly hash: (password: string) => Effect.Effect<string>
  /** Whether a hash of any accepted form is this password's. False at once for what is nobody's password. */
  readonly verify: (hash: string, password: string) => Effect.Effect<boolean>
  /** The same work as a verification of a current hash that fails, for a user who has none (SEC-14). */
  readonly verifyNobody: (password: string) => Effect.Effect<false>
}

/** Password hashes: computed in few slots, so that a burst of logins leaves the rest fast (decision 23, SEC-05). */
export class Passwords extends Context.Service<
  Passwords,
  {
    /** Runs `use` with a place in the queue: what it hashes is never refused. Fails at once when the queue is full. */
    readonly admitted: <A, E, R>(
      use: (hashing: Hashing) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | HashingBusy, R>
    /** `Hashing.hash` with a place of its own. */
    readonly hash: (password: string) => Effect.Effect<string, HashingBusy>
    /** `Hashing.verify` with a place of its own. */
    readonly verify: (hash: string, password: string) => Effect.Effect<boolean, HashingBusy>
    /** Whether a stored hash is as they are made here: any other one is renewed at the next login (decision 22). */
    readonly isCurrent: (hash: string) => boolean
    /** How many hashes were computed so far, to make or to verify. */
    readonly hashed: number
    /** How many are being computed now. */
    readonly inFlight: number
    /** How many have a place and are not computing now. */
    readonly waiting: number
  }
>()("sallyport/core/Passwords") {
  /**
   * `slots`: computed at once (default: cores, at most 2); `queue`: may wait, the next one is refused (default 200);
   * `cost`: of each.
   */
  static readonly layer = ({ slots = Math.min(availableParallelism(), 2), queue = 200, cost = currentCost } = {}) =>
    Layer.effect(
      Passwords,
      Effect.gen(function* () {
        const { memory, passes, lanes, saltLength, digestLength } = cost
        // argon2id is the library's default algorithm.
        const options = { memoryCost: memory, timeCost: passes, parallelism: lanes, outputLen: digestLength }
        const nobodysHash = `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${"A".repeat(22)}$${"A".repeat(43)}`
        const entropy = yield* Entropy
        const clock = yield* Clock.Clock
        const semaphore = yield* Semaphore.make(slots)
        let places = 0
        let inFlight = 0
        let hashed = 0
        let millisEach = USUAL_MILLIS
        /** When those who wait now will have had their turn: who comes back earlier is only refused again. */
        const secondsUntilEmpty = () => Math.max(1, Math.ceil((places * millisEach) / slots / 1_000))

        const admit = Effect.suspend(() => {
          if (places >= slots + queue) return Effect.fail(new HashingBusy({ retryAfterSeconds: secondsUntilEmpty() }))
          places += 1
          return Effect.void
        })
        const leave = Effect.sync(() => {
          places -= 1
        })

        const compute = <A>(work: () => Promise<A>) =>
          Effect.suspend(() => {
            inFlight += 1
            hashed += 1
            const began = clock.monotonicTimeNanosUnsafe()
            return Effect.ensuring(
              Effect.promise(work),
              Effect.sync(() => {
                inFlight -= 1
                millisEach += (Number(clock.monotonicTimeNanosUnsafe() - began) / 1e6 - millisEach) / 16
              })
            )
          })
        // Native work cannot be stopped: its slot is taken until it ends, even when nobody waits for it any more.
        const inSlot = <A>(work: () => Promise<A>) => semaphore.withPermit(Effect.uninterruptible(compute(work)))

        const hash = (password: string) =>
          isHashable(password)
            ? inSlot(() => argon2Hash(normalPassword(password), { ...options, salt: entropy.bytes(saltLength) }))
            : Effect.die(new Error("A password that was not checked came to be hashed."))

        const verify = Effect.fnUntraced(function* (hash: string, password: string) {
          if (!isHashable(password)) return false
          const parsed = parsePasswordHash(hash)
          if (typeof parsed === "string") return yield* Effect.die(new Error("A stored password hash cannot be read."))
          const normal = normalPassword(password)
          // Ours are made of the normal form. Others, argon2 of other systems too, may be made of the text as typed.
          const forms = new Set(parsed.format === "argon2" ? [normal, password] : [password, normal])
          for (const form of forms) {
            const same = () => (parsed.format === "argon2" ? argon2Verify(hash, form) : isMadeOf(parsed, form))
            if (yield* inSlot(same)) return true
          }
          return false
        })

        const verifyNobody = (password: string) => Effect.as(verify(nobodysHash, password), false as const)

        const hashing: Hashing = { hash, verify, verifyNobody }
        const admitted = <A, E, R>(use: (hashing: Hashing) => Effect.Effect<A, E, R>) =>
          Effect.acquireUseRelease(
            admit,
            () => use(hashing),
            () => leave
          )

        return Passwords.of({
          admitted,
          hash: (password) => admitted(() => hash(password)),
          verify: (hash, password) => admitted(() => verify(hash, password)),
          isCurrent: (hash) => isCurrentHash(hash, cost),
          get hashed() {
            return hashed
          },
          get inFlight() {
            return inFlight
          },
          get waiting() {
            return places - inFlight
          }
        })
      })
    )
}
