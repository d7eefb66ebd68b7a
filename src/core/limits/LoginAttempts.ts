import { Context, DateTime, Effect, Layer } from "effect"
import type { RealmId, UserId } from "#domain/Ids"
import { BLOCK_MINUTES, Blocked, GUESSES, type Guessed, UNKNOWN_DAYS, WINDOW_MINUTES } from "#domain/Login"
import { CurrentRealm } from "#domain/Realm"
import { canonical, TEXT_LENGTH } from "#domain/Text"
import { type User, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { KnownBrowsersRepo } from "#store/KnownBrowsersRepo"
import { type Attempt, LoginAttemptsRepo, type UnknownName } from "#store/LoginAttemptsRepo"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { AccountLocks } from "./AccountLocks.ts"
import { KnownBrowsers } from "./KnownBrowsers.ts"
import { RateLimits } from "./RateLimits.ts"

/** One counted attempt. */
export interface CountedAttempt {
  /** Whether it blocks the user, should it be wrong: no further one is looked at for a while. */
  readonly last: boolean
  /** To be done once the attempt was right: forgets those before, and gives back what it took of the limit of attempts. */
  readonly succeeded: Effect.Effect<void>
}

/** Who or what attempts are counted for. */
interface Target {
  readonly realmId: RealmId
  readonly userId: UserId | null
  /** What the limit of attempts is counted by. */
  readonly subject: string
  /** What it has its turns by. */
  readonly account: string
  readonly raise: (attempt: Attempt) => Effect.Effect<number | undefined>
  /** Until when it is blocked: null when it is not, undefined when it is gone. */
  readonly blockedUntil: Effect.Effect<DateTime.Utc | null | undefined>
}

const longAgo = DateTime.makeUnsafe(0)

/** Longer than any name that somebody has. */
const MOST_TYPED = 4 * TEXT_LENGTH

/** The counting of wrong passwords and codes, the same for every door (decision 24, SEC-06 to SEC-08). */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Counts an attempt before anyone looks at what was given, towards a block and towards the limit of attempts: of those
     * that come at once, each counts until it has turned out right. A password from a browser that the user has logged in
     * with counts for that browser alone (SEC-108). Not to be called inside a transaction that may fail.
     */
    count(user: User, kind: Guessed): Effect.Effect<CountedAttempt, Blocked | UserNotFound>
    /** Forgets a user's attempts: there was another way to prove oneself. With a new password no browser is known any more. */
    clear(user: User, kind: Guessed): Effect.Effect<void>
    /**
     * The same as `count` for a name that nobody has, however it was typed: the same answers at the same times. Gives what
     * is to be done once the attempt has failed, where the failure of a user's would be recorded (decision 28).
     */
    countUnknown(typed: string, kind: Guessed): Effect.Effect<Effect.Effect<void>, Blocked, CurrentRealm>
  }
>()("sallyport/core/LoginAttempts") {
  static readonly layer = Layer.effect(
    LoginAttempts,
    Effect.gen(function* () {
      const repo = yield* LoginAttemptsRepo
      const rateLimits = yield* RateLimits
      const digests = yield* ApiKeyDigests
      const browsers = yield* KnownBrowsers
      const browsersRepo = yield* KnownBrowsersRepo
      const turns = yield* AccountLocks
      const transaction = yield* Transaction

      const blocked = (userId: UserId | null, until: DateTime.Utc, now: DateTime.Utc) => {
        const millis = until.epochMilliseconds - now.epochMilliseconds
        return new Blocked({ userId, retryAfterSeconds: Math.max(1, Math.ceil(millis / 1000)) })
      }

      /**
       * What takes the attempt back from the limit. Who comes too often is told to wait for the end of the block, where there
       * is one: that is longer.
       */
      const admitted = Effect.fnUntraced(function* ({ userId, subject, blockedUntil }: Target, now: DateTime.Utc) {
        const realm = yield* Effect.serviceOption(CurrentRealm)
        const own = realm._tag === "Some" ? realm.value.limits : {}
        return yield* Effect.catch(
          rateLimits.hold("attempts", subject, own),
          Effect.fnUntraced(function* (tooOften) {
            const until = yield* blockedUntil
            if (until && DateTime.isGreaterThan(until, now)) return yield* blocked(userId, until, now)
            return yield* new Blocked({ userId, retryAfterSeconds: tooOften.retryAfterSeconds, tooOften })
          })
        )
      })

      /** Which attempt it is, and what takes it back from the limit; undefined for a user who is gone. */
      const counted = Effect.fnUntraced(function* (target: Target, kind: Guessed, now: DateTime.Utc) {
        const giveBack = yield* admitted(target, now)
        const minutes = WINDOW_MINUTES[kind]
        const attempt = {
          realmId: target.realmId,
          kind,
          now,
          addsUpSince: minutes === undefined ? longAgo : DateTime.subtract(now, { minutes }),
          blockedUntil: DateTime.add(now, { minutes: BLOCK_MINUTES })
        }
        const look = Effect.gen(function* () {
          for (;;) {
            const until = yield* target.blockedUntil
            if (until === undefined) return undefined
            if (until !== null && DateTime.isGreaterThan(until, now)) return yield* blocked(target.userId, until, now)
            const made = yield* transaction.run(target.raise(attempt))
            // Another node may block between the two looks, or the right password of another attempt lift the block.
            if (made !== undefined) return { made, giveBack }
          }
        })
        return yield* turns.take(target.account, look)
      })

      /** Counts an attempt for the user's own browser; undefined: it comes from none. */
      const countForBrowser = Effect.fnUntraced(function* (realmId: RealmId, userId: UserId, now: DateTime.Utc) {
        const id = yield* browsers.find(realmId, userId)
        if (id === undefined) return undefined
        const target: Target = {
          realmId,
          userId,
          account: userId,
          subject: `${userId} password ${id}`,
          raise: (attempt) => browsersRepo.raise(attempt, id),
          blockedUntil: browsersRepo.blockedUntil(realmId, id, now)
        }
        const attempt = yield* counted(target, "password", now)
        if (attempt === undefined) return undefined
        // What others' guesses have blocked stays so for all but this browser.
        const unblocked = repo.clearUnblocked(realmId, userId, "password", now)
        const cleared = turns.run(userId, Effect.andThen(browsersRepo.clear(realmId, id), unblocked))
        const succeeded = Effect.andThen(attempt.giveBack, cleared)
        return { last: attempt.made >= GUESSES, succeeded }
      })

      const count = Effect.fnUntraced(function* ({ realmId, id: userId }: User, kind: Guessed) {
        const now = yield* DateTime.now
        const own = kind === "password" ? yield* countForBrowser(realmId, userId, now) : undefined
        if (own !== undefined) return own
        const target: Target = {
          realmId,
          userId,
          subject: `${userId} ${kind}`,
          account: userId,
          raise: (attempt) => repo.raise(attempt, userId),
          blockedUntil: repo.blockedUntil(realmId, userId, kind)
        }
        const attempt = yield* counted(target, kind, now)
        if (attempt === undefined) return yield* new UserNotFound({ id: userId })
        const succeeded = Effect.andThen(attempt.giveBack, turns.run(userId, repo.clear(realmId, userId, kind)))
        return { last: attempt.made >= GUESSES, succeeded }
      })

      const countUnknown = Effect.fnUntraced(function* (typed: string, kind: Guessed) {
        const { id: realmId } = yield* CurrentRealm
        const digest = yield* digests.digestToCount(realmId, `name\0${canonical(typed.slice(0, MOST_TYPED))}`)
        const name: UnknownName = { realmId, digest }
        yield* browsers.find(realmId, undefined)
        const now = yield* DateTime.now
        const account = `${realmId} ${Buffer.from(digest).toString("base64")}`
        const target: Target = {
          realmId,
          userId: null,
          subject: `${account} ${kind}`,
          account,
          raise: (attempt) => repo.raiseUnknown(attempt, digest, attempt.blockedUntil),
          blockedUntil: repo.unknownBlockedUntil(name, kind)
        }
        yield* counted(target, kind, now)
        return turns.run(account, repo.keepUnknown(name, kind, DateTime.add(now, { days: UNKNOWN_DAYS })))
      })

      const clear = Effect.fnUntraced(function* ({ realmId, id }: User, kind: Guessed) {
        yield* turns.run(id, repo.clear(realmId, id, kind))
        if (kind === "password") yield* browsersRepo.deleteOfUser(realmId, id)
      })

      return LoginAttempts.of({ count, countUnknown, clear })
    })
  )
}
