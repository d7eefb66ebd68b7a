import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import { MAX_GUESSES } from "#domain/Login"
import { date, utcOrNull } from "../statements/Rows.ts"
import { noConflict, type Write, writeTogether } from "../statements/Writes.ts"
import { type Attempt, type AttemptCount, type AttemptCountRow, attemptCount } from "./LoginAttemptsRepo.ts"

/** A browser that a user has logged in with. `id` is the digest of the secret in the cookie. */
export interface KnownBrowser {
  readonly id: string
  readonly realmId: RealmId
  readonly userId: UserId
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** The maximum number of known browsers per user. The oldest ones beyond it are deleted. */
const MAX_BROWSERS = 20

/** Stores the known browsers of users (SEC-108). A row is deleted together with its user. */
export class KnownBrowsersRepo extends Context.Service<
  KnownBrowsersRepo,
  {
    /** Finds those of these browsers that are still known in the realm, with their users. */
    find(
      realmId: RealmId,
      ids: ReadonlyArray<string>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly user_id: UserId }>>
    /**
     * Replaces browsers with a new one, after other writes in the same statement. Inserts nothing if the user no longer
     * exists or if the user's sessions were ended after `loggedInAt`.
     */
    replace(
      writes: ReadonlyArray<Write>,
      before: ReadonlyArray<string>,
      browser: KnownBrowser,
      loggedInAt: DateTime.Utc
    ): Effect.Effect<void>
    /** Counts an attempt from a browser that is not blocked. Returns undefined if the browser is no longer known. */
    countAttempt(attempt: Attempt, id: string): Effect.Effect<AttemptCount | undefined>
    /** Returns the time until which a browser is blocked, null if it is not blocked, or undefined if it is no longer known. */
    blockedUntil(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<DateTime.Utc | null | undefined>
    /** A write that resets a browser's attempts. */
    attemptReset(id: string): Write
    /** Returns the browsers known for a user, and the time until which each is blocked, if it is. */
    ofUser(
      realmId: RealmId,
      userId: UserId,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly blockedUntil: DateTime.Utc | null }>>
    /** Deletes the blocked browsers of a user, as happens at the end of their blocks. */
    deleteBlocked(realmId: RealmId, userId: UserId, now: DateTime.Utc): Effect.Effect<void>
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<void>
  }
>()("sallyport/store/KnownBrowsersRepo") {
  static readonly layer = Layer.effect(
    KnownBrowsersRepo,
    Effect.map(SqlClient, (sql) => {
      // When its block ends, a browser stops being known. A stolen cookie therefore allows at most ten attempts.
      const isKnown = (realmId: RealmId, now: DateTime.Utc) =>
        sql`realm_id = ${realmId} and expires_at > ${date(now)} and (blocked_until is null or blocked_until > ${date(now)})`

      // The statement sees the table as it was before, with the replaced rows and without the new one.
      const replacement = (
        replaced: ReadonlyArray<string>,
        { id, realmId, userId, createdAt, expiresAt }: KnownBrowser,
        loggedInAt: DateTime.Utc
      ): ReadonlyArray<Write> => {
        const isLoggedIn = sql`(u.sessions_ended_at is null or u.sessions_ended_at <= ${date(loggedInAt)})`
        const write = (statement: Write["statement"]): Write => ({
          realmLock: "key share",
          statement,
          conflictIn: noConflict
        })
        return [
          write(
            (before) => sql`delete from known_browsers b using ${before}
              where b.realm_id = before.realm_id and b.id = any(${replaced}::text[])`
          ),
          write(
            (before) => sql`insert into known_browsers (realm_id, id, user_id, made, created_at, expires_at)
              select before.realm_id, ${id}, u.id, 0, ${date(createdAt)}::timestamptz, ${date(expiresAt)}::timestamptz
              from users u, ${before}
              where u.realm_id = before.realm_id and u.id = ${userId} and ${isLoggedIn} for key share of u`
          ),
          write(
            (before) => sql`delete from known_browsers b using ${before}
              where b.realm_id = before.realm_id and b.id = any(array(
                select k.id from known_browsers k
                where k.realm_id = ${realmId} and k.user_id = ${userId} and k.id <> all(${replaced}::text[])
                order by k.created_at desc, k.id
                offset ${MAX_BROWSERS} - (select count(*) from users u
                  where u.realm_id = ${realmId} and u.id = ${userId} and ${isLoggedIn})))`
          )
        ]
      }

      return KnownBrowsersRepo.of({
        find: (realmId, ids, now) =>
          ids.length === 0
            ? Effect.succeed([])
            : sql<{ readonly id: string; readonly user_id: UserId }>`select id, user_id from known_browsers
                where ${isKnown(realmId, now)} and id = any(${ids}::text[])`.pipe(Effect.orDie),
        replace: (writes, replaced, browser, loggedInAt) =>
          writeTogether(sql, browser.realmId, [...writes, ...replacement(replaced, browser, loggedInAt)]),
        countAttempt: ({ realmId, now, blockedUntil }, id) =>
          sql<AttemptCountRow>`with counted as (
              update known_browsers set made = made + 1,
                blocked_until = case when made + 1 >= ${MAX_GUESSES} then ${date(blockedUntil)}::timestamptz end
              where ${isKnown(realmId, now)} and id = ${id} and blocked_until is null returning made
            ) select c.made, b.blocked_until from known_browsers b left join counted c on true
            where ${isKnown(realmId, now)} and id = ${id}`.pipe(Effect.map(attemptCount), Effect.orDie),
        blockedUntil: (realmId, id, now) =>
          sql<{ readonly blocked_until: Date | null }>`select blocked_until from known_browsers
            where ${isKnown(realmId, now)} and id = ${id}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : utcOrNull(row.blocked_until))),
            Effect.orDie
          ),
        attemptReset: (id) => ({
          realmLock: "key share",
          statement: (before) => sql`update known_browsers b set made = 0, blocked_until = null from ${before}
            where b.realm_id = before.realm_id and b.id = ${id} and b.made > 0`,
          conflictIn: noConflict
        }),
        ofUser: (realmId, userId, now) =>
          sql<{ readonly id: string; readonly blocked_until: Date | null }>`select id, blocked_until from known_browsers
            where ${isKnown(realmId, now)} and user_id = ${userId} order by created_at, id`.pipe(
            Effect.map((rows) => rows.map(({ id, blocked_until }) => ({ id, blockedUntil: utcOrNull(blocked_until) }))),
            Effect.orDie
          ),
        deleteBlocked: (realmId, userId, now) =>
          sql`delete from known_browsers
            where realm_id = ${realmId} and user_id = ${userId} and blocked_until > ${date(now)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        deleteOfUser: (realmId, userId) =>
          sql`delete from known_browsers where realm_id = ${realmId} and user_id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
