import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CredentialId, RealmId, UserId } from "#domain/Ids"
import { date } from "../Rows.ts"

/** A password credential as it is stored. */
export interface PasswordCredential {
  readonly id: CredentialId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly passwordHash: string
  readonly createdAt: DateTime.Utc
}

/** The credentials' rows. */
export class CredentialsRepo extends Context.Service<
  CredentialsRepo,
  {
    /** Gives a user this password, in place of any it has. */
    putPassword(credential: PasswordCredential): Effect.Effect<void>
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<void>
  }
>()("sallyport/core/CredentialsRepo") {
  static readonly layer = Layer.effect(
    CredentialsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return CredentialsRepo.of({
        putPassword: (credential) =>
          sql`insert into credentials (realm_id, id, user_id, credential_type, password_hash, created_at)
            values (${credential.realmId}, ${credential.id}, ${credential.userId}, 'password',
              ${credential.passwordHash}, ${date(credential.createdAt)})
            on conflict (realm_id, user_id) where credential_type = 'password'
            do update set password_hash = excluded.password_hash`.pipe(Effect.asVoid, Effect.orDie),
        deleteOfUser: (realmId, userId) =>
          sql`delete from credentials where realm_id = ${realmId} and user_id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
