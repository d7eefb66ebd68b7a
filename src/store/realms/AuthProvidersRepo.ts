import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  type AuthProvider,
  type BuiltInProvider,
  type ExternalProvider,
  isUniqueProviderType,
  type PasswordRules,
  type ProviderRef,
  type ProviderState,
  type ProviderType,
  type UniqueProviderType
} from "#domain/AuthProvider"
import type { AuthProviderId, RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import type { PasskeyRules } from "#domain/Passkey"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date } from "../statements/Rows.ts"
import { insertionInto, type Write } from "../statements/Writes.ts"
import {
  builtInColumns,
  columns,
  fromRow,
  type PasskeyColumns,
  type Policy,
  passkeyRulesOf,
  type Row,
  rulesOf,
  toRow
} from "./AuthProviderRows.ts"

/** The filters for lists of providers. */
export interface AuthProviderFilter {
  readonly providerType: ProviderType | undefined
  readonly state: ProviderState | undefined
}

/** A provider's id and state. */
export type ProviderStatus = Pick<AuthProvider, "id" | "state">

const locationOf = ({ realmId, id }: Pick<AuthProvider, "realmId" | "id">): SecretLocation => ({
  table: "auth_providers",
  column: "client_secret",
  row: id,
  realm: realmId
})

/** Stores auth providers with encrypted client secrets. */
export class AuthProvidersRepo extends Context.Service<
  AuthProvidersRepo,
  {
    /** A write that inserts a new realm's providers, which have no client secrets. */
    insertion(providers: ReadonlyArray<BuiltInProvider>): Write
    /** Inserts an external provider. Returns false if the realm already has one of a type that it can have only once. */
    insertExternal(provider: ExternalProvider, clientSecret: string): Effect.Effect<boolean>
    /** Updates a provider and, unless it is undefined, the client secret. */
    update(provider: AuthProvider, clientSecret: string | undefined): Effect.Effect<void>
    find(realmId: RealmId, ref: ProviderRef): Effect.Effect<AuthProvider | undefined>
    findForUpdate(realmId: RealmId, ref: ProviderRef): Effect.Effect<AuthProvider | undefined>
    /** Returns an external provider's client secret, or null if it can't be decrypted. Undefined for a built-in provider. */
    clientSecret(provider: Pick<AuthProvider, "realmId" | "id">): Effect.Effect<string | null | undefined>
    delete(realmId: RealmId, id: AuthProviderId): Effect.Effect<void>
    /** Returns one more row than fits on the page, ordered by id. */
    list(realmId: RealmId, filter: AuthProviderFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<AuthProvider>>
    /** Returns the realm's password policy. */
    passwordRules(realmId: RealmId): Effect.Effect<PasswordRules | undefined>
    /** Returns the realm's passkey rules, or undefined if passkeys are not enabled. */
    passkeyRules(realmId: RealmId): Effect.Effect<PasskeyRules | undefined>
    /** Returns the realm's providers of a type, oldest first. */
    ofType(realmId: RealmId, providerType: string): Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** Returns the provider of a type that a realm can have only once. */
    stateOf(realmId: RealmId, providerType: UniqueProviderType): Effect.Effect<ProviderStatus | undefined>
  }
>()("sallyport/store/AuthProvidersRepo") {
  static readonly layer = Layer.effect(
    AuthProvidersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets
      const select = sql.literal(`select ${columns} from auth_providers`)
      const one = Effect.map((rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0])))
      const matches = (ref: ProviderRef) => (isUniqueProviderType(ref) ? sql`provider_type = ${ref}` : sql`id = ${ref}`)

      const newRow = (provider: AuthProvider) => ({
        id: provider.id,
        provider_type: provider.providerType,
        ...toRow(provider),
        created_at: date(provider.createdAt)
      })

      const insertExternal = Effect.fn("AuthProvidersRepo.insertExternal")(function* (
        provider: ExternalProvider,
        clientSecret: string
      ) {
        const row = {
          realm_id: provider.realmId,
          ...newRow(provider),
          client_secret: yield* secrets.encrypt(locationOf(provider), clientSecret)
        }
        const inserted = yield* sql`insert into auth_providers ${sql.insert(row)}
          on conflict (realm_id, provider_type) where provider_type not in ('oauth2', 'oidc') do nothing returning id`.pipe(
          Effect.orDie
        )
        return inserted.length > 0
      })

      const update = Effect.fn("AuthProvidersRepo.update")(function* (
        provider: AuthProvider,
        clientSecret: string | undefined
      ) {
        const encrypted =
          clientSecret === undefined
            ? {}
            : { client_secret: yield* secrets.encrypt(locationOf(provider), clientSecret) }
        yield* sql`update auth_providers set ${sql.update({ ...toRow(provider), ...encrypted })}
          where realm_id = ${provider.realmId} and id = ${provider.id}`.pipe(Effect.orDie)
      })

      const clientSecret = Effect.fn("AuthProvidersRepo.clientSecret")(function* (
        provider: Pick<AuthProvider, "realmId" | "id">
      ) {
        const [row] = yield* sql<{ readonly client_secret: string | null }>`select client_secret from auth_providers
          where realm_id = ${provider.realmId} and id = ${provider.id}`.pipe(Effect.orDie)
        return row === undefined || row.client_secret === null
          ? undefined
          : yield* secrets.decrypt(locationOf(provider), row.client_secret)
      })

      /**
       * The condition for a provider type. The index on the type covers only types of which a realm may have just one
       * provider.
       */
      const ofTypeIn = (type: ProviderType) =>
        isUniqueProviderType(type)
          ? sql`provider_type = ${type} and provider_type not in ('oauth2', 'oidc')`
          : sql`provider_type = ${type}`

      const list = (realmId: RealmId, filter: AuthProviderFilter, page: PageOf<"id">) => {
        const conditions = [sql`realm_id = ${realmId}`]
        if (filter.providerType !== undefined) conditions.push(ofTypeIn(filter.providerType))
        if (filter.state !== undefined) conditions.push(sql`state = ${filter.state}`)
        return sql<Row>`${select} ${keysetPage(sql, conditions, page)}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      const ofType = (realmId: RealmId, providerType: string) =>
        sql<ProviderStatus>`select id, state from auth_providers
          where realm_id = ${realmId} and provider_type = ${providerType} order by id`.pipe(Effect.orDie)

      return AuthProvidersRepo.of({
        insertion: (providers) =>
          insertionInto(
            sql,
            "auth_providers",
            providers.map((provider) => ({ ...builtInColumns, ...newRow(provider) }))
          ),
        insertExternal,
        update,
        find: (realmId, ref) =>
          sql<Row>`${select} where realm_id = ${realmId} and ${matches(ref)}`.pipe(one, Effect.orDie),
        findForUpdate: (realmId, ref) =>
          sql<Row>`${select} where realm_id = ${realmId} and ${matches(ref)} for update`.pipe(one, Effect.orDie),
        clientSecret,
        delete: (realmId, id) =>
          sql`delete from auth_providers where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        list,
        passwordRules: (realmId) =>
          sql<Policy>`select state, min_length, preset, required_chars from auth_providers
            where realm_id = ${realmId} and provider_type = 'password'`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : rulesOf(row))),
            Effect.orDie
          ),
        passkeyRules: (realmId) =>
          sql<PasskeyColumns>`select user_verification, attestation, attestation_roots from auth_providers
            where realm_id = ${realmId} and provider_type = 'passkey' and state = 'active'`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : passkeyRulesOf(row))),
            Effect.orDie
          ),
        ofType,
        stateOf: (realmId, providerType) => Effect.map(ofType(realmId, providerType), ([status]) => status)
      })
    })
  )
}
