import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import { GUESSES, type Guessed } from "#domain/Login"
import { date, utcOrNull } from "../Rows.ts"

/** An attempt to be counted: those before are forgotten when none came after `addsUpSince`; too many block until `blockedUntil`. */
export interface Attempt {
  readonly realmId: RealmId
  readonly userId: UserId
  readonly kind: Guessed
  readonly now: DateTime.Utc
  readonly addsUpSince: DateTime.Utc
  readonly blockedUntil: DateTime.Utc
}

/** The rows that count wrong passwords and codes, on all nodes together. */
export class AttemptsRepo extends Context.Service<
  AttemptsRepo,
  {
    /** Counts an attempt in one conditional write: how many it makes, or undefined for a user who is blocked or gone. */
    raise(attempt: Attempt): Effect.Effect<number | undefined>
    /** Until when a user is blocked; null for one who is not, undefined for one who is gone. */
    blockedUntil(realmId: RealmId, userId: UserId, kind: Guessed): Effect.Effect<DateTime.Utc | null | undefined>
    clear(realmId: RealmId, userId: UserId, kind: Guessed): Effect.Effect<void>
  }
>()("sallyport/core/AttemptsRepo") {
  static readonly layer = Layer.effect(
    AttemptsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return AttemptsRepo.of({
        // The attempt that reaches the limit is still looked at; it blocks those that come after it, at once. The user's
        // row is locked first, as in all that follows on an attempt: else two of them could wait for each other.
        raise: ({ realmId, userId, kind, now, addsUpSince, blockedUntil }) =>
          sql<{ readonly made: number }>`
            insert into attempts as a (realm_id, user_id, kind, made, last_at, blocked_until)
            select u.realm_id, u.id, ${kind}, 1, ${date(now)}, null from users u
            where u.realm_id = ${realmId} and u.id = ${userId} for no key update
            on conflict (realm_id, user_id, kind) do update set
              made = case when a.blocked_until is null and a.last_at > ${date(addsUpSince)} then a.made + 1 else 1 end,
              last_at = excluded.last_at,
              blocked_until = case when a.blocked_until is null and a.last_at > ${date(addsUpSince)}
                and a.made + 1 >= ${GUESSES} then ${date(blockedUntil)}::timestamptz end
            where a.blocked_until is null or a.blocked_until <= ${date(now)}
            returning made`.pipe(
            Effect.map(([row]) => row?.made),
            Effect.orDie
          ),
        blockedUntil: (realmId, userId, kind) =>
          sql<{ readonly blocked_until: Date | null }>`select a.blocked_until from users u
            left join attempts a on a.realm_id = u.realm_id and a.user_id = u.id and a.kind = ${kind}
            where u.realm_id = ${realmId} and u.id = ${userId}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : utcOrNull(row.blocked_until))),
            Effect.orDie
          ),
        clear: (realmId, userId, kind) =>
          sql`delete from attempts where realm_id = ${realmId} and user_id = ${userId} and kind = ${kind}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
