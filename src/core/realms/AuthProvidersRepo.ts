import { Array as Arr, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AuthProvider } from "#domain/AuthProvider"
import type { RealmId } from "#domain/Ids"
import { date } from "../Rows.ts"

/** The rows of what realms authenticate with. */
export class AuthProvidersRepo extends Context.Service<
  AuthProvidersRepo,
  {
    insert(providers: Arr.NonEmptyReadonlyArray<AuthProvider>): Effect.Effect<void>
    /** The shortest password the realm takes, in characters. */
    minPasswordLength(realmId: RealmId): Effect.Effect<number | undefined>
  }
>()("sallyport/core/AuthProvidersRepo") {
  static readonly layer = Layer.effect(
    AuthProvidersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return AuthProvidersRepo.of({
        insert: (providers) =>
          sql`insert into auth_providers ${sql.insert(
            Arr.map(providers, (provider) => ({
              realm_id: provider.realmId,
              id: provider.id,
              provider_type: provider.providerType,
              state: provider.state,
              min_length: provider.minLength,
              created_at: date(provider.createdAt)
            }))
          )}`.pipe(Effect.asVoid, Effect.orDie),
        minPasswordLength: (realmId) =>
          sql<{ readonly min_length: number | null }>`select min_length from auth_providers
            where realm_id = ${realmId} and provider_type = 'password'`.pipe(
            Effect.map((rows) => rows[0]?.min_length ?? undefined),
            Effect.orDie
          )
      })
    })
  )
}
