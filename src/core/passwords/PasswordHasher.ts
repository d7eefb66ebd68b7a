import { availableParallelism } from "node:os"
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Clock, Context, Duration, Effect, Layer, Metric } from "effect"
import { costOf, isExpensive, paddingMemory, standardCost } from "#domain/HashCost"
import type { RealmId } from "#domain/Ids"
import { HashingBusy, isHashable, normalizedPassword } from "#domain/Password"
import {
  type Argon2Params,
  isCurrentHash,
  isParsed,
  type ParsedHash,
  parsePasswordHash,
  standardParams
} from "#domain/PasswordHash"
import { CurrentRealm } from "#domain/Realm"
import { type Admission, makeAdmission } from "#platform/Admission"
import { Entropy } from "#platform/Entropy"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import { verifyImportedHash } from "./ImportedHashes.ts"

const hashesComputed = Metric.counter("password_hashes_total", {
  description: "Password hashes computed, to store or to verify a password.",
  incremental: true
})

/** The assumed duration of a hash before any has been measured, in milliseconds. */
const INITIAL_MILLIS = 10

/**
 * How many logins are admitted for each slot. An admitted login computes a hash, accesses the database, or waits for a slot.
 */
const ADMITTED_PER_SLOT = 4

/** How many hashes a worker computes concurrently. All workers together compute at most as many hashes as there are cores. */
export const slotsOf = (cores: number, workers: number): number => Math.min(2, Math.max(1, Math.floor(cores / workers)))

/** The operations available to an admitted login. */
export interface Hashing {
  /** Hashes a password that has passed `checkPassword`. Returns an argon2id PHC string. Dies if the text can't be hashed. */
  readonly hash: (password: string) => Effect.Effect<string>
  /**
   * Returns whether a password matches a hash of any accepted format. Immediately returns false for text that can't be a
   * password. If the hash exceeds the import limits, it is not computed, but the check takes the standard time. The cost of
   * each tried form of the password is at least that of a standard hash (SEC-95).
   */
  readonly verify: (hash: string, password: string) => Effect.Effect<boolean>
  /** Takes as long as a failed verification. Used for users who don't exist or have no password (SEC-14). */
  readonly verifyDummy: (password: string) => Effect.Effect<false>
}

/**
 * Hashes passwords. The number of slots is small, so that a burst of logins doesn't slow other requests down (C23, SEC-05).
 * Realms share the slots fairly, so that one realm's burst or expensive hashes don't slow the logins of other realms down
 * (SEC-89).
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /**
     * Waits for admission, then runs `use`. Hashes that `use` computes are never rejected. Fails without running `use` if the
     * queue is full, in total or for the realm, or if the wait is too long.
     */
    readonly withHashing: <A, E, R>(
      use: (hashing: Hashing) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | HashingBusy, R | CurrentRealm>
    /** Waits for admission, then runs `Hashing.hash`. */
    readonly hash: (password: string) => Effect.Effect<string, HashingBusy, CurrentRealm>
    /** Waits for admission, then runs `Hashing.verify`. */
    readonly verify: (hash: string, password: string) => Effect.Effect<boolean, HashingBusy, CurrentRealm>
    /** Returns whether a stored hash has the current parameters. If not, it is replaced at the next login (C22). */
    readonly isCurrent: (hash: string) => boolean
    /** The number of hashes computed so far, to store or to verify a password. */
    readonly hashCount: number
    /**
     * The total cost of the hashes computed so far. A standard hash counts as 1, and so does a cheaper hash with its padding
     * (SEC-95).
     */
    readonly totalCost: number
    /** The number of hashes being computed. */
    readonly inFlight: number
    /** The number of admitted or queued logins for which no hash is being computed. */
    readonly waiting: number
  }
>()("sallyport/core/PasswordHasher") {
  /**
   * `slots` is the number of hashes computed concurrently. The default is this process's share of the cores, at most 2.
   * `queue` is the maximum number of waiting logins in all workers together. The default is 200, of which one realm can use
   * three quarters. `params` are the parameters of new hashes.
   */
  static readonly layer = ({
    slots: configuredSlots,
    queue: sharedQueue = 200,
    params = standardParams
  }: {
    readonly slots?: number
    readonly queue?: number
    readonly params?: Argon2Params
  } = {}) =>
    Layer.effect(
      PasswordHasher,
      Effect.gen(function* () {
        const workers = yield* WorkerCount
        const slots = configuredSlots ?? slotsOf(availableParallelism(), workers)
        const queue = shareOf(sharedQueue, workers)
        const { memory, passes, lanes, saltLength, digestLength } = params
        // argon2id is the library's default algorithm.
        const options = { memoryCost: memory, timeCost: passes, parallelism: lanes, outputLen: digestLength }
        const standard = standardCost(params)
        const dummyHash = `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${"A".repeat(22)}$${"A".repeat(43)}`
        const entropy = yield* Entropy
        const clock = yield* Clock.Clock
        const context = yield* Effect.context<never>()
        hashesComputed.updateUnsafe(0, context)
        const unbounded = { queueLimit: Number.POSITIVE_INFINITY, maxWait: Duration.infinity, queueInTransaction: true }
        // A single realm never takes all admissions, and expensive hashes never take all slots. So other logins can start
        // immediately.
        const admittedAtOnce = Math.min(ADMITTED_PER_SLOT * slots, slots + queue)
        const admission = makeAdmission({
          name: "hashing",
          concurrency: admittedAtOnce,
          queueLimit: slots + queue - admittedAtOnce
        })
        const slotQueue = makeAdmission({ name: "hashes", concurrency: slots, ...unbounded })
        const expensiveQueue = makeAdmission({
          name: "costly_hashes",
          concurrency: Math.max(1, slots - 1),
          ...unbounded
        })
        let inFlight = 0
        let hashCount = 0
        let totalCost = 0
        let millisEach = INITIAL_MILLIS
        /** The time until the current queue is empty, in seconds. An earlier retry would be rejected again. */
        const secondsUntilEmpty = () =>
          Math.max(1, Math.ceil(((admission.running + admission.waiting) * millisEach) / slots / 1_000))
        const busy = Effect.suspend(() => Effect.fail(new HashingBusy({ retryAfterSeconds: secondsUntilEmpty() })))

        /** Runs admitted work as soon as it gets a slot. The wait has no limit. */
        const runQueued = <A>(admission: Admission, owner: RealmId, work: Effect.Effect<A>) =>
          Effect.orDie(admission.run(owner, work))

        const compute = <A>(job: () => Promise<A>) =>
          Effect.suspend(() => {
            inFlight += 1
            hashCount += 1
            hashesComputed.updateUnsafe(1, context)
            const startedAt = clock.monotonicTimeNanosUnsafe()
            return Effect.ensuring(
              Effect.promise(job),
              Effect.sync(() => {
                inFlight -= 1
                millisEach += (Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e6 - millisEach) / 16
              })
            )
          })

        const digest = (form: string, memoryCost = memory) => {
          totalCost += (memoryCost * passes) / standard
          return argon2Hash(form, { ...options, memoryCost, salt: entropy.bytes(saltLength) })
        }

        /** Returns whether a hash matches exactly this text. Cheaper hashes are padded to the standard cost. */
        const matches = async (parsed: ParsedHash, hash: string, form: string) => {
          totalCost += costOf(parsed) / standard
          const isMatch = await (parsed.format === "argon2"
            ? argon2Verify(hash, form)
            : verifyImportedHash(parsed, form))
          const missing = paddingMemory(parsed, params)
          if (missing > 0) await digest(form, missing)
          return isMatch
        }

        const hashingFor = (owner: RealmId): Hashing => {
          // Native code can't be interrupted, so the slot stays occupied until it ends, even if nobody waits for the result.
          const inSlot = <A>(job: () => Promise<A>, isCostlyHash = false) => {
            const computed = runQueued(slotQueue, owner, Effect.uninterruptible(compute(job)))
            const queued = isCostlyHash ? runQueued(expensiveQueue, owner, computed) : computed
            return Effect.withSpan(queued, "password hash")
          }

          const hash = (password: string) =>
            isHashable(password)
              ? inSlot(() => digest(normalizedPassword(password)))
              : Effect.die(new Error("A password was not checked before it was hashed."))

          const verifyParsed = Effect.fnUntraced(function* (parsed: ParsedHash, hash: string, password: string) {
            const normal = normalizedPassword(password)
            // This service hashes the normalized form of passwords. Imported hashes, including argon2, may be hashes of the
            // text as typed.
            const forms = new Set(parsed.format === "argon2" ? [normal, password] : [password, normal])
            for (const form of forms) {
              if (yield* inSlot(() => matches(parsed, hash, form), isExpensive(parsed))) return true
            }
            return false
          })

          const verify = Effect.fnUntraced(function* (hash: string, password: string) {
            if (!isHashable(password)) return false
            const parsed = parsePasswordHash(hash)
            if (isParsed(parsed)) return yield* verifyParsed(parsed, hash, password)
            if (parsed.code === "unsupported_hash") {
              return yield* Effect.die(new Error("A stored password hash cannot be read."))
            }
            // The hash was imported under wider limits. Computing it would block the slots for all other logins.
            return yield* verifyDummy(password)
          })

          const verifyDummy = (password: string): Effect.Effect<false> =>
            Effect.as(
              Effect.suspend(() => verify(dummyHash, password)),
              false as const
            )

          return { hash, verify, verifyDummy }
        }

        const withHashing = Effect.fnUntraced(function* <A, E, R>(use: (hashing: Hashing) => Effect.Effect<A, E, R>) {
          const { id } = yield* CurrentRealm
          return yield* admission.run(id, Effect.result(Effect.suspend(() => use(hashingFor(id))))).pipe(
            Effect.catchTag("Overloaded", () => busy),
            Effect.flatMap(Effect.fromResult)
          )
        })

        return PasswordHasher.of({
          withHashing,
          hash: (password) => withHashing((hashing) => hashing.hash(password)),
          verify: (hash, password) => withHashing((hashing) => hashing.verify(hash, password)),
          isCurrent: (hash) => isCurrentHash(hash, params),
          get hashCount() {
            return hashCount
          },
          get totalCost() {
            return totalCost
          },
          get inFlight() {
            return inFlight
          },
          get waiting() {
            return admission.running + admission.waiting - inFlight
          }
        })
      })
    )
}
