import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "#domain/Ids"

/** A profile elsewhere, and whose it is. */
export interface ProfileLink {
  readonly id: CredentialId
  readonly userId: UserId
}

/** Users' profiles elsewhere, as logins by them look at them. */
export class IdentitiesRepo extends Context.Service<
  IdentitiesRepo,
  {
    /** The credential that a person at a provider has here. */
    find(realmId: RealmId, providerId: AuthProviderId, providerUserId: string): Effect.Effect<ProfileLink | undefined>
    /** The user whom an e-mail names: the one human with it; an api user where no human has it. */
    userByEmail(realmId: RealmId, email: string): Effect.Effect<UserId | undefined>
    hasOf(realmId: RealmId, userId: UserId, providerId: AuthProviderId): Effect.Effect<boolean>
  }
>()("sallyport/store/IdentitiesRepo") {
  static readonly layer = Layer.effect(
    IdentitiesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return IdentitiesRepo.of({
        find: (realmId, providerId, providerUserId) =>
          sql<{ readonly id: CredentialId; readonly user_id: UserId }>`select id, user_id from credentials
            where realm_id = ${realmId} and auth_provider_id = ${providerId}
              and provider_user_id = ${providerUserId}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : { id: row.id, userId: row.user_id })),
            Effect.orDie
          ),
        userByEmail: (realmId, email) =>
          sql<{ readonly id: UserId; readonly user_type: string }>`select id, user_type from users
            where realm_id = ${realmId} and email = ${email} order by user_type desc limit 2`.pipe(
            Effect.map(([first, second]) => (first?.user_type === second?.user_type ? undefined : first?.id)),
            Effect.orDie
          ),
        hasOf: (realmId, userId, providerId) =>
          sql`select id from credentials where realm_id = ${realmId} and user_id = ${userId}
            and auth_provider_id = ${providerId} limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}
