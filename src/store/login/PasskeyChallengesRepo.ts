import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import type { Ceremony, PasskeyChallenge } from "#domain/Passkey"
import { date } from "../statements/Rows.ts"

/** A stored challenge. `id` is the digest of its token. The challenge itself is derived from the token. */
export interface StoredChallenge extends Omit<PasskeyChallenge, "challenge"> {
  readonly id: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

interface Row {
  readonly realm_id: RealmId
  readonly ceremony: Ceremony
  readonly user_id: UserId | null
  readonly origin: string
  readonly rp_id: string
}

const challengeOf = (row: Row | undefined): Omit<PasskeyChallenge, "challenge"> | undefined =>
  row === undefined
    ? undefined
    : {
        realmId: row.realm_id,
        ceremony: row.ceremony,
        userId: row.user_id,
        origin: row.origin,
        rpId: row.rp_id
      }

/** Stores the challenges of passkey ceremonies in progress. */
export class PasskeyChallengesRepo extends Context.Service<
  PasskeyChallengesRepo,
  {
    insert(challenge: StoredChallenge): Effect.Effect<void>
    /** Finds an unexpired challenge for this ceremony. */
    find(
      realmId: RealmId,
      id: string,
      ceremony: Ceremony,
      now: DateTime.Utc
    ): Effect.Effect<Omit<PasskeyChallenge, "challenge"> | undefined>
    /** Removes and returns an unexpired challenge for this ceremony. Succeeds for only one caller. */
    take(
      realmId: RealmId,
      id: string,
      ceremony: Ceremony,
      now: DateTime.Utc
    ): Effect.Effect<Omit<PasskeyChallenge, "challenge"> | undefined>
    /** Deletes a user's challenges. */
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<void>
  }
>()("sallyport/store/PasskeyChallengesRepo") {
  static readonly layer = Layer.effect(
    PasskeyChallengesRepo,
    Effect.map(SqlClient, (sql) =>
      PasskeyChallengesRepo.of({
        insert: (challenge) =>
          sql`insert into passkey_challenges ${sql.insert({
            realm_id: challenge.realmId,
            id: challenge.id,
            ceremony: challenge.ceremony,
            user_id: challenge.userId,
            origin: challenge.origin,
            rp_id: challenge.rpId,
            created_at: date(challenge.createdAt),
            expires_at: date(challenge.expiresAt)
          })}`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id, ceremony, now) =>
          sql<Row>`select realm_id, ceremony, user_id, origin, rp_id from passkey_challenges
            where realm_id = ${realmId} and id = ${id} and ceremony = ${ceremony} and expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => challengeOf(row)),
            Effect.orDie
          ),
        take: (realmId, id, ceremony, now) =>
          sql<Row>`delete from passkey_challenges where realm_id = ${realmId} and id = ${id} and ceremony = ${ceremony}
            and expires_at > ${date(now)} returning realm_id, ceremony, user_id, origin, rp_id`.pipe(
            Effect.map(([row]) => challengeOf(row)),
            Effect.orDie
          ),
        deleteOfUser: (realmId, userId) =>
          sql`delete from passkey_challenges where realm_id = ${realmId} and user_id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    )
  )
}
