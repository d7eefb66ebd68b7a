import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type CredentialType, socialTypes } from "#domain/Credential"
import type { RealmId, UserId } from "#domain/Ids"
import type { AccessMethods } from "#domain/MailboxProof"
import { date } from "../statements/Rows.ts"

interface Row {
  readonly password: boolean
  readonly profiles: boolean
  readonly passkeys: boolean
  readonly second_factor: boolean
  readonly sessions: boolean
  readonly email_pending: boolean
}

/** Reads and revokes the login methods of users who prove that they control a mailbox. */
export class MailboxProofsRepo extends Context.Service<
  MailboxProofsRepo,
  {
    /** Returns the ways somebody may have access to an account, or undefined if the user does not exist. */
    accessMethods(realmId: RealmId, userId: UserId, now: DateTime.Utc): Effect.Effect<AccessMethods | undefined>
    /** Deletes a user's credentials of these types and locks the password. Returns whether anything was deleted. */
    revokeLoginMethods(
      realmId: RealmId,
      userId: UserId,
      types: ReadonlyArray<CredentialType>,
      at: DateTime.Utc
    ): Effect.Effect<boolean>
  }
>()("sallyport/store/MailboxProofsRepo") {
  static readonly layer = Layer.effect(
    MailboxProofsRepo,
    Effect.map(SqlClient, (sql) =>
      MailboxProofsRepo.of({
        accessMethods: (realmId, userId, now) =>
          sql<Row>`select u.email_pending is not null as email_pending,
              coalesce(c.password, false) as password, coalesce(c.profiles, false) as profiles,
              coalesce(c.passkeys, false) as passkeys, coalesce(c.second_factor, false) as second_factor,
              (exists (select from sessions s where s.realm_id = u.realm_id and s.user_id = u.id
                  and s.expires_at > ${date(now)})
                or exists (select from browser_sessions b where b.realm_id = u.realm_id and b.user_id = u.id
                  and b.expires_at > ${date(now)})) as sessions
            from users u cross join lateral (
              select bool_or(credential_type = 'password' and locked_at is null) as password,
                bool_or(credential_type = any(${socialTypes}::text[])) as profiles,
                bool_or(credential_type = 'passkey') as passkeys,
                bool_or(credential_type = 'totp' and state = 'active') as second_factor
              from credentials where realm_id = u.realm_id and user_id = u.id) c
            where u.realm_id = ${realmId} and u.id = ${userId}`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : {
                    password: row.password,
                    profiles: row.profiles,
                    passkeys: row.passkeys,
                    secondFactor: row.second_factor,
                    sessions: row.sessions,
                    emailPending: row.email_pending
                  }
            ),
            Effect.orDie
          ),
        revokeLoginMethods: (realmId, userId, types, at) =>
          sql`with gone as (
              delete from credentials where realm_id = ${realmId} and user_id = ${userId}
                and credential_type = any(${types}::text[]) returning 1
            ), locked as (
              update credentials set locked_at = ${date(at)} where realm_id = ${realmId} and user_id = ${userId}
                and credential_type = 'password' and locked_at is null returning 1
            ) select 1 as one from gone limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    )
  )
}
