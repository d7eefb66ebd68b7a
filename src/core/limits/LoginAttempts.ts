import { Context, DateTime, Effect, Layer } from "effect"
import { foldedEmail } from "#domain/Email"
import type { RealmId, UserId } from "#domain/Ids"
import {
  BLOCK_MINUTES,
  Blocked,
  type GuessedSecret,
  MAX_GUESSES,
  UNKNOWN_NAME_RETENTION_DAYS,
  WINDOW_MINUTES
} from "#domain/Login"
import { CurrentRealm } from "#domain/Realm"
import { canonical, TEXT_LENGTH } from "#domain/Text"
import { type User, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import { type Attempt, type AttemptCount, LoginAttemptsRepo, type UnknownName } from "#store/login/LoginAttemptsRepo"
import type { Write } from "#store/statements/Writes"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { AccountLocks } from "./AccountLocks.ts"
import { KnownBrowsers } from "./KnownBrowsers.ts"
import { RateLimits } from "./RateLimits.ts"
import { RejectedLogins } from "./RejectedLogins.ts"

/** A counted attempt. */
export interface CountedAttempt {
  /** Whether the user is blocked if this attempt fails. */
  readonly isLast: boolean
  /** Resets the count and refunds the rate limit. Run this if the attempt succeeds. */
  readonly onSuccess: Effect.Effect<void>
  /** The two parts of `onSuccess`, for callers that combine the reset with the writes of the login. */
  readonly resets: ReadonlyArray<Write>
  readonly refund: Effect.Effect<void>
}

/** A counted attempt with a name that belongs to no user. */
export interface UnknownAttempt {
  /** Whether this attempt blocks the name. */
  readonly isLast: boolean
  /** The write to make if the attempt fails, when a failed login of a user would be recorded. */
  readonly failureWrite: Write
}

/** The subject for which attempts are counted: a user, a known browser, or a name that belongs to no user. */
interface AttemptSubject {
  readonly realmId: RealmId
  readonly userId: UserId | null
  /** The key of the rate limit. */
  readonly subject: string
  /** The key of the account lock. */
  readonly account: string
  readonly raise: (attempt: Attempt) => Effect.Effect<AttemptCount | undefined>
  /** The end of the block; null if the subject isn't blocked, undefined if it no longer exists. */
  readonly blockedUntil: Effect.Effect<DateTime.Utc | null | undefined>
}

/** The subject of the limits on attempts at a user's secrets. `browserId` is the known browser in which a password is entered. */
export const attemptSubject = (userId: UserId, kind: GuessedSecret, browserId?: string): string =>
  browserId === undefined ? `${userId} ${kind}` : `${userId} ${kind} ${browserId}`

const longAgo = DateTime.makeUnsafe(0)

/** The maximum number of characters of a name that are used. */
const MAX_NAME_LENGTH = 4 * TEXT_LENGTH

/** Counts wrong passwords and codes. The rules are the same for all login methods (C24, SEC-06 to SEC-08). */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Counts an attempt toward a block and the rate limit. Call it before checking the secret, so that concurrent attempts
     * count until they succeed. A password entered in a known browser counts only for that browser (SEC-108). Don't call it
     * inside a transaction that may roll back.
     */
    count(user: User, kind: GuessedSecret): Effect.Effect<CountedAttempt, Blocked | UserNotFound>
    /** Resets a user's count after another proof of identity. For passwords, also deletes the user's known browsers. */
    clear(user: User, kind: GuessedSecret): Effect.Effect<void>
    /**
     * Counts an attempt for a name that no user has, with the same responses and timing as `count` (C28).
     */
    countUnknown(typed: string, kind: GuessedSecret): Effect.Effect<UnknownAttempt, Blocked, CurrentRealm>
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
      const locks = yield* AccountLocks
      const refused = yield* RejectedLogins
      const transaction = yield* Transaction

      const blocked = (userId: UserId | null, until: DateTime.Utc, now: DateTime.Utc) => {
        const millis = until.epochMilliseconds - now.epochMilliseconds
        return new Blocked({ userId, retryAfterSeconds: Math.max(1, Math.ceil(millis / 1000)) })
      }

      /**
       * Takes an attempt from the rate limit, and returns its refund. If the limit is exceeded and a block ends later than the
       * limit, the error reports the end of the block.
       */
      const takeFromLimit = Effect.fnUntraced(function* (
        { userId, subject, blockedUntil }: AttemptSubject,
        kind: GuessedSecret,
        now: DateTime.Utc
      ) {
        const realm = yield* Effect.serviceOption(CurrentRealm)
        const limits = realm._tag === "Some" ? realm.value.limits : {}
        const limitNames = kind === "email_code" ? (["attempts", "email_codes"] as const) : (["attempts"] as const)
        return yield* Effect.catch(
          Effect.map(
            Effect.forEach(limitNames, (name) => rateLimits.reserve(name, subject, limits)),
            (refunds) => Effect.all(refunds, { discard: true })
          ),
          Effect.fnUntraced(function* (rateLimited) {
            const until = yield* blockedUntil
            const limitEnds = DateTime.add(now, { seconds: rateLimited.retryAfterSeconds })
            if (until && DateTime.isGreaterThan(until, limitEnds)) return yield* blocked(userId, until, now)
            return yield* new Blocked({ userId, retryAfterSeconds: rateLimited.retryAfterSeconds, rateLimited })
          })
        )
      })

      /** Increments the count. Returns the number of the attempt and the refund, or undefined if the user no longer exists. */
      const raiseWithoutNote = Effect.fnUntraced(function* (
        target: AttemptSubject,
        kind: GuessedSecret,
        now: DateTime.Utc
      ) {
        const refund = yield* takeFromLimit(target, kind, now)
        const minutes = WINDOW_MINUTES[kind]
        const attempt = {
          realmId: target.realmId,
          kind,
          now,
          countsSince: minutes === undefined ? longAgo : DateTime.subtract(now, { minutes }),
          blockedUntil: DateTime.add(now, { minutes: BLOCK_MINUTES })
        }
        const raise = Effect.gen(function* () {
          for (;;) {
            const counted = yield* transaction.runSingle(target.raise(attempt))
            if (counted === undefined) return undefined
            if (counted.made !== null) return { attemptNumber: counted.made, refund }
            const until = counted.blockedUntil
            if (until !== null && DateTime.isGreaterThan(until, now)) return yield* blocked(target.userId, until, now)
            // Another node blocked the user while this statement waited for a lock. Repeat the statement to see the block.
          }
        })
        return yield* locks.withLock(target.account, raise)
      })

      const raiseAndNote = (target: AttemptSubject, kind: GuessedSecret, now: DateTime.Utc) =>
        raiseWithoutNote(target, kind, now).pipe(
          Effect.tapErrorTag("Blocked", () =>
            // Don't count unknown names, which are recorded separately, or rejected passkeys, which never block a user.
            target.userId === null || kind === "passkey"
              ? Effect.void
              : refused.count(target.realmId, target.userId, "blocked")
          )
        )

      const counted = (
        { attemptNumber, refund }: { readonly attemptNumber: number; readonly refund: Effect.Effect<void> },
        realmId: RealmId,
        userId: UserId,
        resets: ReadonlyArray<Write>
      ): CountedAttempt => {
        const reset = locks.transact(userId, repo.reset(realmId, resets))
        return { isLast: attemptNumber >= MAX_GUESSES, onSuccess: Effect.andThen(refund, reset), resets, refund }
      }

      /** Counts an attempt for a known browser. Returns undefined if the browser is not known. */
      const countForBrowser = Effect.fnUntraced(function* (realmId: RealmId, userId: UserId, now: DateTime.Utc) {
        const id = yield* browsers.find(realmId, userId)
        if (id === undefined) return undefined
        const target: AttemptSubject = {
          realmId,
          userId,
          account: userId,
          subject: attemptSubject(userId, "password", id),
          raise: (attempt) => browsersRepo.countAttempt(attempt, id),
          blockedUntil: browsersRepo.blockedUntil(realmId, id, now)
        }
        const attempt = yield* raiseAndNote(target, "password", now)
        if (attempt === undefined) return undefined
        // If guesses from elsewhere have blocked the user, that block stays in force for all other browsers.
        const resets = [browsersRepo.attemptReset(id), repo.attemptResetIfUnblocked(userId, "password", now)]
        return counted(attempt, realmId, userId, resets)
      })

      const count = Effect.fnUntraced(function* ({ realmId, id: userId }: User, kind: GuessedSecret) {
        const now = yield* DateTime.now
        // Load the realm's pepper, as `countUnknown` does, so that the timing doesn't reveal whether the user exists (SEC-14).
        yield* digests.digestForCounting(realmId, userId)
        const browserAttempt = kind === "password" ? yield* countForBrowser(realmId, userId, now) : undefined
        if (browserAttempt !== undefined) return browserAttempt
        const target: AttemptSubject = {
          realmId,
          userId,
          subject: attemptSubject(userId, kind),
          account: userId,
          raise: (attempt) => repo.countAttempt(attempt, userId),
          blockedUntil: repo.blockedUntil(realmId, userId, kind)
        }
        const attempt = yield* raiseAndNote(target, kind, now)
        if (attempt === undefined) return yield* new UserNotFound({ id: userId })
        return counted(attempt, realmId, userId, [repo.attemptReset(userId, kind)])
      })

      const countUnknown = Effect.fnUntraced(function* (typed: string, kind: GuessedSecret) {
        const { id: realmId, recordsUnknownNames } = yield* CurrentRealm
        const digest = yield* digests.digestForCounting(
          realmId,
          `name\0${foldedEmail(canonical(typed.slice(0, MAX_NAME_LENGTH)))}`
        )
        const name: UnknownName = { realmId, digest }
        yield* browsers.find(realmId, undefined)
        yield* refused.count(realmId, null, "unknown_user", recordsUnknownNames ? typed : undefined)
        const now = yield* DateTime.now
        const account = `${realmId} ${Buffer.from(digest).toString("base64")}`
        const target: AttemptSubject = {
          realmId,
          userId: null,
          subject: `${account} ${kind}`,
          account,
          raise: (attempt) => repo.countUnknownAttempt(attempt, digest, attempt.blockedUntil),
          blockedUntil: repo.unknownBlockedUntil(name, kind)
        }
        const attempt = yield* raiseAndNote(target, kind, now)
        const expiresAt = DateTime.add(now, { days: UNKNOWN_NAME_RETENTION_DAYS })
        const isLast = attempt !== undefined && attempt.attemptNumber >= MAX_GUESSES
        return { isLast, failureWrite: repo.unknownExtension(digest, kind, expiresAt) }
      })

      const clear = Effect.fnUntraced(function* ({ realmId, id }: User, kind: GuessedSecret) {
        yield* locks.transact(id, repo.reset(realmId, [repo.attemptReset(id, kind)]))
      })

      return LoginAttempts.of({ count, countUnknown, clear })
    })
  )
}
