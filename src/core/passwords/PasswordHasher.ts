import { availableParallelism } from "node:os"
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { isCostly, missingMemory, workOf, workOfOurs } from "#domain/HashWork"
import type { RealmId } from "#domain/Ids"
import { HashingBusy, isHashable, normalPassword } from "#domain/Password"
import { currentCost, isCurrentHash, isParsed, type ParsedHash, parsePasswordHash } from "#domain/PasswordHash"
import { CurrentRealm } from "#domain/Realm"
import { type Admission, makeAdmission } from "#platform/Admission"
import { Entropy } from "#platform/Entropy"
import { isMadeOf } from "./ImportedHashes.ts"

/** What a hash takes, until it is known how long it takes here, in milliseconds. */
const USUAL_MILLIS = 10

/** How many per slot have come in and read or write, or wait for it. */
const DOORS_PER_SLOT = 4

/** What can be hashed by one who has a place in the queue. */
export interface Hashing {
  /** The argon2id PHC string of a password that `checkPassword` let pass; dies of one that cannot be hashed. */
  readonly hash: (password: string) => Effect.Effect<string>
  /**
   * Whether a hash of any accepted form is this password's. False at once for what is nobody's password, and after the work
   * of one of ours for a hash that is beyond the bounds of import. Whatever the hash, each form of the password that is
   * tried takes at least the work of one of ours (SEC-95).
   */
  readonly verify: (hash: string, password: string) => Effect.Effect<boolean>
  /** The same work as a verification of a current hash that fails, for a user who has none (SEC-14). */
  readonly verifyNobody: (password: string) => Effect.Effect<false>
}

/**
 * Password hashes: computed in few slots, so that a burst of logins leaves the rest fast (decision 23, SEC-05), and in
 * turns by realm, so that one realm's burst, or its costly hashes, leave another's logins fast (SEC-89).
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /**
     * Runs `use` when the realm has its turn: what it hashes is never refused from then on. Fails at once when the queue is
     * full, altogether or of the realm, and later if there is no turn in time; then `use` has not begun.
     */
    readonly admitted: <A, E, R>(
      use: (hashing: Hashing) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | HashingBusy, R | CurrentRealm>
    /** `Hashing.hash` with a place of its own. */
    readonly hash: (password: string) => Effect.Effect<string, HashingBusy, CurrentRealm>
    /** `Hashing.verify` with a place of its own. */
    readonly verify: (hash: string, password: string) => Effect.Effect<boolean, HashingBusy, CurrentRealm>
    /** Whether a stored hash is as they are made here: any other one is renewed at the next login (decision 22). */
    readonly isCurrent: (hash: string) => boolean
    /** How many hashes were computed so far, to make or to verify. */
    readonly hashed: number
    /** What all that took: 1 for each of ours, and for each that was made to take as much (SEC-95). */
    readonly work: number
    /** How many are being computed now. */
    readonly inFlight: number
    /** How many have a place and are not computing now. */
    readonly waiting: number
  }
>()("sallyport/core/PasswordHasher") {
  /**
   * `slots`: computed at once (default: cores, at most 2); `queue`: may wait, the next one is refused (default 200), and
   * so is a realm's that has three quarters of it; `cost`: of each.
   */
  static readonly layer = ({ slots = Math.min(availableParallelism(), 2), queue = 200, cost = currentCost } = {}) =>
    Layer.effect(
      PasswordHasher,
      Effect.gen(function* () {
        const { memory, passes, lanes, saltLength, digestLength } = cost
        // argon2id is the library's default algorithm.
        const options = { memoryCost: memory, timeCost: passes, parallelism: lanes, outputLen: digestLength }
        const ours = workOfOurs(cost)
        const nobodysHash = `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${"A".repeat(22)}$${"A".repeat(43)}`
        const entropy = yield* Entropy
        const clock = yield* Clock.Clock
        const endless = { places: Number.POSITIVE_INFINITY, patience: Duration.infinity, holdsTransactions: true }
        // A door always stays free of one realm's many, and a slot of what is costly: others come in at once.
        const inside = Math.min(DOORS_PER_SLOT * slots, slots + queue)
        const doors = makeAdmission({ name: "hashing", atOnce: inside, places: slots + queue - inside })
        const turns = makeAdmission({ name: "hashes", atOnce: slots, ...endless })
        const costlyTurns = makeAdmission({ name: "costly_hashes", atOnce: Math.max(1, slots - 1), ...endless })
        let inFlight = 0
        let hashed = 0
        let work = 0
        let millisEach = USUAL_MILLIS
        /** When those who wait now will have had their turn: who comes back earlier is only refused again. */
        const secondsUntilEmpty = () =>
          Math.max(1, Math.ceil(((doors.atWork + doors.waiting) * millisEach) / slots / 1_000))
        const busy = Effect.suspend(() => Effect.fail(new HashingBusy({ retryAfterSeconds: secondsUntilEmpty() })))

        /** Runs what has been let in: it waits for its turn as long as that takes. */
        const inTurn = <A>(admission: Admission, owner: RealmId, work: Effect.Effect<A>) =>
          Effect.orDie(admission.run(owner, work))

        const compute = <A>(job: () => Promise<A>) =>
          Effect.suspend(() => {
            inFlight += 1
            hashed += 1
            const began = clock.monotonicTimeNanosUnsafe()
            return Effect.ensuring(
              Effect.promise(job),
              Effect.sync(() => {
                inFlight -= 1
                millisEach += (Number(clock.monotonicTimeNanosUnsafe() - began) / 1e6 - millisEach) / 16
              })
            )
          })

        const digest = (form: string, memoryCost = memory) => {
          work += (memoryCost * passes) / ours
          return argon2Hash(form, { ...options, memoryCost, salt: entropy.bytes(saltLength) })
        }

        /** Whether a hash is made of this very text; a cheap one takes as long as one of ours. */
        const isOf = async (parsed: ParsedHash, hash: string, form: string) => {
          work += workOf(parsed) / ours
          const same = await (parsed.format === "argon2" ? argon2Verify(hash, form) : isMadeOf(parsed, form))
          const missing = missingMemory(parsed, cost)
          if (missing > 0) await digest(form, missing)
          return same
        }

        const hashingFor = (owner: RealmId): Hashing => {
          // Native work cannot be stopped: its slot is taken until it ends, even when nobody waits for it any more.
          const inSlot = <A>(job: () => Promise<A>, costly = false) => {
            const computed = inTurn(turns, owner, Effect.uninterruptible(compute(job)))
            return costly ? inTurn(costlyTurns, owner, computed) : computed
          }

          const hash = (password: string) =>
            isHashable(password)
              ? inSlot(() => digest(normalPassword(password)))
              : Effect.die(new Error("A password that was not checked came to be hashed."))

          const verifyParsed = Effect.fnUntraced(function* (parsed: ParsedHash, hash: string, password: string) {
            const normal = normalPassword(password)
            // Ours are made of the normal form. Others, argon2 of other systems too, may be made of the text as typed.
            const forms = new Set(parsed.format === "argon2" ? [normal, password] : [password, normal])
            for (const form of forms) {
              if (yield* inSlot(() => isOf(parsed, hash, form), isCostly(parsed))) return true
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
            // It was imported under wider bounds: to compute it would take the slots from everyone.
            return yield* verifyNobody(password)
          })

          const verifyNobody = (password: string): Effect.Effect<false> =>
            Effect.as(
              Effect.suspend(() => verify(nobodysHash, password)),
              false as const
            )

          return { hash, verify, verifyNobody }
        }

        const admitted = Effect.fnUntraced(function* <A, E, R>(use: (hashing: Hashing) => Effect.Effect<A, E, R>) {
          const { id } = yield* CurrentRealm
          return yield* doors.run(id, Effect.result(Effect.suspend(() => use(hashingFor(id))))).pipe(
            Effect.catchTag("Overloaded", () => busy),
            Effect.flatMap(Effect.fromResult)
          )
        })

        return PasswordHasher.of({
          admitted,
          hash: (password) => admitted((hashing) => hashing.hash(password)),
          verify: (hash, password) => admitted((hashing) => hashing.verify(hash, password)),
          isCurrent: (hash) => isCurrentHash(hash, cost),
          get hashed() {
            return hashed
          },
          get work() {
            return work
          },
          get inFlight() {
            return inFlight
          },
          get waiting() {
            return doors.atWork + doors.waiting - inFlight
          }
        })
      })
    )
}
