import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "#domain/Ids"
import { withEmail } from "./UserPage.ts"

/** A user's link to a profile at an external provider. `id` is the credential's id. */
export interface ProfileLink {
  readonly id: CredentialId
  readonly userId: UserId
}

/** Finds the users of external profiles. */
export class IdentitiesRepo extends Context.Service<
  IdentitiesRepo,
  {
    /** Finds the link to a provider's profile. */
    find(realmId: RealmId, providerId: AuthProviderId, providerUserId: string): Effect.Effect<ProfileLink | undefined>
    /** Finds the only human with an email, or an API user if no human has it. Returns undefined if several share it. */
    userByEmail(realmId: RealmId, email: string): Effect.Effect<UserId | undefined>
    hasProfileOf(realmId: RealmId, userId: UserId, providerId: AuthProviderId): Effect.Effect<boolean>
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
          sql<{ readonly id: UserId; readonly user_type: string }>`
            (select id, user_type from users where realm_id = ${realmId} and ${withEmail(sql, "human", email)} limit 2)
            union all
            (select id, user_type from users where realm_id = ${realmId} and ${withEmail(sql, "api", email)} limit 2)
            order by user_type desc`.pipe(
            Effect.map(([first, second]) => (first?.user_type === second?.user_type ? undefined : first?.id)),
            Effect.orDie
          ),
        hasProfileOf: (realmId, userId, providerId) =>
          sql`select id from credentials where realm_id = ${realmId} and user_id = ${userId}
            and auth_provider_id = ${providerId} limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}
