import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ProviderState } from "#domain/AuthProvider"
import type { CredentialType } from "#domain/Credential"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "#domain/Ids"
import { utc } from "../statements/Rows.ts"

/** A credential as shown to its owner. */
export interface OwnCredential {
  readonly id: CredentialId
  readonly credentialType: CredentialType
  readonly name: string | null
  readonly authProviderId: AuthProviderId | null
  /** The provider's name in the realm. */
  readonly providerName: string | null
  /** Whether it can be used to log in now. Its provider must be active, and the credential must be neither locked nor new. */
  readonly isUsable: boolean
  /** The domain that a passkey was created for. */
  readonly rpId: string | null
  readonly createdAt: DateTime.Utc
}

interface Row {
  readonly id: CredentialId
  readonly credential_type: CredentialType
  readonly name: string | null
  readonly auth_provider_id: AuthProviderId | null
  readonly provider_name: string | null
  readonly provider_state: ProviderState | null
  readonly is_ready: boolean
  readonly rp_id: string | null
  readonly created_at: Date
}

/** Reads the credentials that users log in with, including the names and states of their providers. */
export class SignInMethodsRepo extends Context.Service<
  SignInMethodsRepo,
  {
    /** Returns a user's credentials, oldest first. */
    ofUser(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<OwnCredential>>
  }
>()("sallyport/store/SignInMethodsRepo") {
  static readonly layer = Layer.effect(
    SignInMethodsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return SignInMethodsRepo.of({
        // A password does not refer to a provider. It always belongs to the realm's password provider.
        ofUser: (realmId, userId) =>
          sql<Row>`select c.id, c.credential_type, c.name, c.auth_provider_id, c.created_at,
              p.name as provider_name, p.state as provider_state, k.rp_id,
              c.locked_at is null and c.state is distinct from 'new' as is_ready
            from credentials c left join passkeys k on k.realm_id = c.realm_id and k.id = c.id
              left join auth_providers p on p.realm_id = c.realm_id
              and (p.id = c.auth_provider_id or (c.auth_provider_id is null and p.provider_type = c.credential_type))
            where c.realm_id = ${realmId} and c.user_id = ${userId} order by c.id`.pipe(
            Effect.map((rows) =>
              rows.map((row) => ({
                id: row.id,
                credentialType: row.credential_type,
                name: row.name,
                authProviderId: row.auth_provider_id,
                providerName: row.provider_name,
                rpId: row.rp_id,
                isUsable: row.is_ready && row.provider_state === "active",
                createdAt: utc(row.created_at)
              }))
            ),
            Effect.orDie
          )
      })
    })
  )
}
