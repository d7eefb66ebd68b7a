import { Context, DateTime, Effect, Layer } from "effect"
import { BLOCK_MINUTES, Blocked, type Guessed, GUESSES, WINDOW_MINUTES } from "#domain/Login"
import type { UserId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { type User, UserNotFound } from "#domain/User"
import { Quotas } from "../limits/Quotas.ts"
import { AttemptsRepo } from "./AttemptsRepo.ts"

/** One counted attempt. */
export interface CountedAttempt {
  /** Whether it blocks the user, should it be wrong: no further one is looked at for a while. */
  readonly last: boolean
}

const longAgo = DateTime.makeUnsafe(0)

/** The counting of wrong passwords and codes, the same for every door (decision 24, SEC-06 to SEC-08). */
export class Attempts extends Context.Service<
  Attempts,
  {
    /**
     * Counts an attempt before anyone looks at what was given: towards a block, and, right or wrong, towards the limit of
     * attempts. Not to be called inside a transaction that may fail.
     */
    count(user: User, kind: Guessed): Effect.Effect<CountedAttempt, Blocked | UserNotFound>
    /** Forgets a user's attempts: the right one came, or another way to prove oneself. */
    clear(user: User, kind: Guessed): Effect.Effect<void>
  }
>()("sallyport/core/Attempts") {
  static readonly layer = Layer.effect(
    Attempts,
    Effect.gen(function* () {
      const repo = yield* AttemptsRepo
      const quotas = yield* Quotas

      const blocked = (userId: UserId, until: DateTime.Utc, now: DateTime.Utc) => {
        const millis = until.epochMilliseconds - now.epochMilliseconds
        return new Blocked({ userId, retryAfterSeconds: Math.max(1, Math.ceil(millis / 1000)) })
      }

      /** Who comes too often is told to wait for the end of the block, where there is one: that is longer. */
      const admitted = Effect.fnUntraced(function* ({ realmId, id: userId }: User, kind: Guessed, now: DateTime.Utc) {
        const realm = yield* Effect.serviceOption(CurrentRealm)
        const own = realm._tag === "Some" ? realm.value.limits : {}
        yield* Effect.catch(
          quotas.take("attempts", `${userId} ${kind}`, own),
          Effect.fnUntraced(function* (tooOften) {
            const until = yield* repo.blockedUntil(realmId, userId, kind)
            if (until && DateTime.isGreaterThan(until, now)) return yield* blocked(userId, until, now)
            return yield* new Blocked({ userId, retryAfterSeconds: tooOften.retryAfterSeconds, tooOften })
          })
        )
      })

      const count = Effect.fnUntraced(function* (user: User, kind: Guessed) {
        const { realmId, id: userId } = user
        const now = yield* DateTime.now
        yield* admitted(user, kind, now)
        const minutes = WINDOW_MINUTES[kind]
        const attempt = {
          realmId,
          userId,
          kind,
          now,
          addsUpSince: minutes === undefined ? longAgo : DateTime.subtract(now, { minutes }),
          blockedUntil: DateTime.add(now, { minutes: BLOCK_MINUTES })
        }
        for (;;) {
          const made = yield* repo.raise(attempt)
          if (made !== undefined) return { last: made >= GUESSES }
          const until = yield* repo.blockedUntil(realmId, userId, kind)
          if (until === undefined) return yield* new UserNotFound({ id: userId })
          // The right password of another attempt may lift the block between the two looks: then once more.
          if (until === null) continue
          return yield* blocked(userId, until, now)
        }
      })

      return Attempts.of({ count, clear: ({ realmId, id }, kind) => repo.clear(realmId, id, kind) })
    })
  )
}
