import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RealmId, UserId } from "#domain/Ids"
import { type GuessedSecret, MAX_GUESSES } from "#domain/Login"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { noConflict, type Write, writeAlone } from "../statements/Writes.ts"

/**
 * An attempt to count. The count restarts at 1 unless the last attempt was after `countsSince`. Too many attempts cause a
 * block until `blockedUntil`.
 */
export interface Attempt {
  readonly realmId: RealmId
  readonly kind: GuessedSecret
  readonly now: DateTime.Utc
  readonly countsSince: DateTime.Utc
  readonly blockedUntil: DateTime.Utc
}

/**
 * The result of counting an attempt. `made` is the attempt's number, or null if it was not counted because of a block until
 * `blockedUntil`. If another node counted at the same time, `blockedUntil` may be out of date.
 */
export interface AttemptCount {
  readonly made: number | null
  readonly blockedUntil: DateTime.Utc | null
}

/** The row of a statement that counts an attempt. */
export interface AttemptCountRow {
  readonly made: number | null
  readonly blocked_until: Date | null
}

/** Reads the count from a statement's result. Returns undefined if there is no row. */
export const attemptCount = ([row]: ReadonlyArray<AttemptCountRow>): AttemptCount | undefined =>
  row === undefined ? undefined : { made: row.made, blockedUntil: utcOrNull(row.blocked_until) }

/** A block of a user after too many wrong passwords or codes. */
export interface AttemptBlock {
  readonly kind: GuessedSecret
  readonly endsAt: DateTime.Utc
}

/** A name that belongs to no user, identified by its digest. */
export interface UnknownName {
  readonly realmId: RealmId
  readonly digest: Uint8Array
}

/** Counts wrong passwords and codes across all nodes. */
export class LoginAttemptsRepo extends Context.Service<
  LoginAttemptsRepo,
  {
    /** Counts an attempt in one conditional write, unless the user is blocked. Returns undefined if the user no longer exists. */
    countAttempt(attempt: Attempt, userId: UserId): Effect.Effect<AttemptCount | undefined>
    /** Returns the time until which a user is blocked, null if not blocked, or undefined if the user no longer exists. */
    blockedUntil(realmId: RealmId, userId: UserId, kind: GuessedSecret): Effect.Effect<DateTime.Utc | null | undefined>
    /** A write that resets a user's attempts and ends any block. */
    attemptReset(userId: UserId, kind: GuessedSecret): Write
    /** A write that resets a user's attempts, unless the user is blocked. */
    attemptResetIfUnblocked(userId: UserId, kind: GuessedSecret, now: DateTime.Utc): Write
    /** Returns the blocks of a user, by kind of secret, and the time at which each ends. */
    blocksOf(realmId: RealmId, userId: UserId, now: DateTime.Utc): Effect.Effect<ReadonlyArray<AttemptBlock>>
    /** Applies resets one after another in the current transaction. */
    reset(realmId: RealmId, resets: ReadonlyArray<Write>): Effect.Effect<void>
    /** Like `countAttempt`, for a name that belongs to no user. The count is stored until `expiresAt`. */
    countUnknownAttempt(attempt: Attempt, digest: Uint8Array, expiresAt: DateTime.Utc): Effect.Effect<AttemptCount>
    /** Returns the time until which a name is blocked, or null if it is not. */
    unknownBlockedUntil(name: UnknownName, kind: GuessedSecret): Effect.Effect<DateTime.Utc | null>
    /** A write that extends how long the count for a name is stored. */
    unknownExtension(digest: Uint8Array, kind: GuessedSecret, expiresAt: DateTime.Utc): Write
  }
>()("sallyport/store/LoginAttemptsRepo") {
  static readonly layer = Layer.effect(
    LoginAttemptsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // The attempt that reaches the limit is still checked, but it immediately blocks all later ones.
      const incrementOnConflict = ({ now, countsSince, blockedUntil }: Attempt) => sql`do update set
          made = case when a.blocked_until is null and a.last_at > ${date(countsSince)} then a.made + 1 else 1 end,
          last_at = excluded.last_at,
          blocked_until = case when a.blocked_until is null and a.last_at > ${date(countsSince)}
            and a.made + 1 >= ${MAX_GUESSES} then ${date(blockedUntil)}::timestamptz end
        where a.blocked_until is null or a.blocked_until <= ${date(now)}
        returning made`

      // Does not delete the row, so that the next attempt only has to update it.
      const updateTo0 = (userId: UserId, kind: GuessedSecret, before: Fragment) =>
        sql`update attempts a set made = 0, blocked_until = null from ${before}
          where a.realm_id = before.realm_id and a.user_id = ${userId} and a.kind = ${kind}`

      return LoginAttemptsRepo.of({
        // Locks the user's row first, as the steps after an attempt do. Otherwise the two could deadlock.
        countAttempt: (attempt, userId) =>
          sql<AttemptCountRow>`with counted as (
              insert into attempts as a (realm_id, user_id, kind, made, last_at, blocked_until)
              select u.realm_id, u.id, ${attempt.kind}, 1, ${date(attempt.now)}::timestamptz, null from users u
              where u.realm_id = ${attempt.realmId} and u.id = ${userId} and not exists (select from attempts b
                where b.realm_id = u.realm_id and b.user_id = u.id and b.kind = ${attempt.kind}
                  and b.blocked_until > ${date(attempt.now)})
              for no key update of u
              on conflict (realm_id, user_id, kind) ${incrementOnConflict(attempt)}
            ) select c.made, a.blocked_until from users u left join counted c on true
            left join attempts a on a.realm_id = u.realm_id and a.user_id = u.id and a.kind = ${attempt.kind}
            where u.realm_id = ${attempt.realmId} and u.id = ${userId}`.pipe(Effect.map(attemptCount), Effect.orDie),
        blockedUntil: (realmId, userId, kind) =>
          sql<{ readonly blocked_until: Date | null }>`select a.blocked_until from users u
            left join attempts a on a.realm_id = u.realm_id and a.user_id = u.id and a.kind = ${kind}
            where u.realm_id = ${realmId} and u.id = ${userId}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : utcOrNull(row.blocked_until))),
            Effect.orDie
          ),
        attemptReset: (userId, kind) => ({
          realmLock: "key share",
          statement: (before) => updateTo0(userId, kind, before),
          conflictIn: noConflict
        }),
        attemptResetIfUnblocked: (userId, kind, now) => ({
          realmLock: "key share",
          statement: (before) => sql`${updateTo0(userId, kind, before)}
            and (a.blocked_until is null or a.blocked_until <= ${date(now)})`,
          conflictIn: noConflict
        }),
        blocksOf: (realmId, userId, now) =>
          sql<{ readonly kind: GuessedSecret; readonly blocked_until: Date }>`select kind, blocked_until from attempts
            where realm_id = ${realmId} and user_id = ${userId} and blocked_until > ${date(now)} order by kind`.pipe(
            Effect.map((rows) => rows.map(({ kind, blocked_until }) => ({ kind, endsAt: utc(blocked_until) }))),
            Effect.orDie
          ),
        reset: (realmId, resets) => Effect.forEach(resets, (one) => writeAlone(sql, realmId, one), { discard: true }),
        countUnknownAttempt: (attempt, digest, expiresAt) =>
          sql<AttemptCountRow>`with counted as (
              insert into unknown_attempts as a (realm_id, name_digest, kind, made, last_at, blocked_until, expires_at)
              values (${attempt.realmId}, ${digest}, ${attempt.kind}, 1, ${date(attempt.now)}, null, ${date(expiresAt)})
              on conflict (realm_id, name_digest, kind) ${incrementOnConflict(attempt)}
            ) select (select made from counted) as made, (select a.blocked_until from unknown_attempts a
              where a.realm_id = ${attempt.realmId} and a.name_digest = ${digest} and a.kind = ${attempt.kind}
            ) as blocked_until`.pipe(
            Effect.map((rows) => attemptCount(rows) ?? { made: null, blockedUntil: null }),
            Effect.orDie
          ),
        unknownBlockedUntil: ({ realmId, digest }, kind) =>
          sql<{ readonly blocked_until: Date | null }>`select blocked_until from unknown_attempts
            where realm_id = ${realmId} and name_digest = ${digest} and kind = ${kind}`.pipe(
            Effect.map(([row]) => utcOrNull(row?.blocked_until ?? null)),
            Effect.orDie
          ),
        unknownExtension: (digest, kind, expiresAt) => ({
          realmLock: "key share",
          statement: (before) => sql`update unknown_attempts a set expires_at = ${date(expiresAt)} from ${before}
            where a.realm_id = before.realm_id and a.name_digest = ${digest} and a.kind = ${kind}`,
          conflictIn: noConflict
        })
      })
    })
  )
}
