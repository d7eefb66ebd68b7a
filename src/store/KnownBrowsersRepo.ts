import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import { MAX_GUESSES } from "#domain/Login"
import type { Attempt } from "./LoginAttemptsRepo.ts"
import { date, utcOrNull } from "./Rows.ts"

/** A browser that a user has logged in with. `id`: the digest of what its cookie holds. */
export interface KnownBrowser {
  readonly id: string
  readonly realmId: RealmId
  readonly userId: UserId
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** How many browsers a user may have: the oldest is forgotten. */
const MOST = 20

/** The rows of browsers that users have logged in with: they go with their user. */
export class KnownBrowsersRepo extends Context.Service<
  KnownBrowsersRepo,
  {
    /** Whose browsers these are, in a realm, as far as any is known (any more). */
    find(
      realmId: RealmId,
      ids: ReadonlyArray<string>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly user_id: UserId }>>
    /** Inserts one of a login of this time in place of others, unless its user is gone, or all of theirs ended since. */
    replace(before: ReadonlyArray<string>, browser: KnownBrowser, loggedInAt: DateTime.Utc): Effect.Effect<void>
    /** Counts an attempt in one conditional write: how many it makes, or undefined once all its tries are used up. */
    raise(attempt: Attempt, id: string): Effect.Effect<number | undefined>
    /** Until when it is blocked; null for one that is not, undefined for one that is known no more. */
    blockedUntil(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<DateTime.Utc | null | undefined>
    /** Forgets its attempts. */
    clear(realmId: RealmId, id: string): Effect.Effect<void>
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<void>
  }
>()("sallyport/store/KnownBrowsersRepo") {
  static readonly layer = Layer.effect(
    KnownBrowsersRepo,
    Effect.map(SqlClient, (sql) => {
      /** Once the block of its last try is over it is a stranger: whoever holds it has those ten tries and no more. */
      const known = (realmId: RealmId, now: DateTime.Utc) =>
        sql`realm_id = ${realmId} and expires_at > ${date(now)} and (blocked_until is null or blocked_until > ${date(now)})`

      return KnownBrowsersRepo.of({
        find: (realmId, ids, now) =>
          ids.length === 0
            ? Effect.succeed([])
            : sql<{ readonly id: string; readonly user_id: UserId }>`select id, user_id from known_browsers
                where ${known(realmId, now)} and id = any(${ids}::text[])`.pipe(Effect.orDie),
        replace: Effect.fnUntraced(function* (before, browser, loggedInAt) {
          const { id, realmId, userId, createdAt, expiresAt } = browser
          if (before.length > 0) {
            yield* sql`delete from known_browsers where realm_id = ${realmId} and id = any(${before}::text[])`
          }
          yield* sql`insert into known_browsers (realm_id, id, user_id, made, created_at, expires_at)
            select realm_id, ${id}, id, 0, ${date(createdAt)}, ${date(expiresAt)} from users
            where realm_id = ${realmId} and id = ${userId}
              and (sessions_ended_at is null or sessions_ended_at <= ${date(loggedInAt)}) for key share`
          yield* sql`delete from known_browsers where realm_id = ${realmId} and id = any(array(
            select id from known_browsers where realm_id = ${realmId} and user_id = ${userId}
            order by created_at desc, id offset ${MOST}))`
        }, Effect.orDie),
        raise: ({ realmId, now, blockedUntil }, id) =>
          sql<{ readonly made: number }>`update known_browsers set made = made + 1,
              blocked_until = case when made + 1 >= ${MAX_GUESSES} then ${date(blockedUntil)}::timestamptz end
            where ${known(realmId, now)} and id = ${id} and blocked_until is null returning made`.pipe(
            Effect.map(([row]) => row?.made),
            Effect.orDie
          ),
        blockedUntil: (realmId, id, now) =>
          sql<{ readonly blocked_until: Date | null }>`select blocked_until from known_browsers
            where ${known(realmId, now)} and id = ${id}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : utcOrNull(row.blocked_until))),
            Effect.orDie
          ),
        clear: (realmId, id) =>
          sql`update known_browsers set made = 0, blocked_until = null
            where realm_id = ${realmId} and id = ${id} and made > 0`.pipe(Effect.asVoid, Effect.orDie),
        deleteOfUser: (realmId, userId) =>
          sql`delete from known_browsers where realm_id = ${realmId} and user_id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
