import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  type AuthProvider,
  type ExternalProvider,
  isUniqueProviderType,
  type OAuth2Provider,
  type PasswordProvider,
  type PasswordRules,
  type ProviderRef,
  type ProviderState,
  type ProviderType,
  type UniqueProviderType,
  type WellKnownType
} from "#domain/AuthProvider"
import type { AuthProviderId, RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import type { PasskeyRules } from "#domain/Passkey"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { keysetPage } from "./KeysetPage.ts"
import { date, utc } from "./Rows.ts"
import { insertionInto, type Write } from "./Writes.ts"

/** The filters for the list of providers. */
export interface AuthProviderFilter {
  readonly providerType: ProviderType | undefined
  readonly state: ProviderState | undefined
}

/** The id of a provider, and whether it is active. */
export type ProviderStatus = Pick<AuthProvider, "id" | "state">

interface Identity {
  readonly id: AuthProviderId
  readonly realm_id: RealmId
  readonly state: ProviderState
  readonly created_at: Date
}

interface Policy {
  readonly state: ProviderState
  readonly min_length: number
  readonly preset: PasswordProvider["preset"]
  readonly required_chars: PasswordProvider["requiredChars"]
}

interface PasskeyColumns {
  readonly user_verification: PasskeyRules["userVerification"]
  readonly attestation: PasskeyRules["attestation"]
  readonly attestation_roots: PasskeyRules["attestationRoots"]
}

interface Client extends Identity {
  readonly name: string | null
  readonly client_id: string
  readonly scopes: ReadonlyArray<string>
}

interface OAuth2 extends Client {
  readonly provider_type: "oauth2"
  readonly authorization_url: string
  readonly token_url: string
  readonly profile_url: string
  readonly id_field: string
  readonly email_field: string
  readonly email_verified_field: string | null
  readonly first_name_field: string | null
  readonly last_name_field: string | null
  readonly name_field: string | null
}

type Row =
  | (Identity & Policy & { readonly provider_type: "password" })
  | (Identity & { readonly provider_type: "totp" })
  | (Identity & PasskeyColumns & { readonly provider_type: "passkey" })
  | (Identity & { readonly provider_type: "email_code"; readonly second_factor: boolean })
  | (Client & { readonly provider_type: WellKnownType })
  | OAuth2

const columns = `id, realm_id, provider_type, state, created_at, min_length, preset, required_chars, name, client_id,
  scopes, authorization_url, token_url, profile_url, id_field, email_field, email_verified_field, first_name_field,
  last_name_field, name_field, user_verification, attestation, attestation_roots, second_factor`

const rulesOf = (row: Policy): PasswordRules => ({
  state: row.state,
  minLength: row.min_length,
  preset: row.preset,
  requiredChars: row.required_chars
})

const passkeyRulesOf = (row: PasskeyColumns): PasskeyRules => ({
  userVerification: row.user_verification,
  attestation: row.attestation,
  attestationRoots: row.attestation_roots
})

const fromRow = (row: Row): AuthProvider => {
  const identity = { id: row.id, realmId: row.realm_id, state: row.state, createdAt: utc(row.created_at) }
  const { provider_type: providerType } = row
  if (providerType === "totp") return { ...identity, providerType }
  if (providerType === "passkey") return { ...identity, providerType, ...passkeyRulesOf(row) }
  if (providerType === "email_code") return { ...identity, providerType, secondFactor: row.second_factor }
  if (providerType === "password") return { ...identity, providerType, ...rulesOf(row) }
  const client = { ...identity, name: row.name, clientId: row.client_id, scopes: row.scopes }
  return providerType === "oauth2" ? { ...client, providerType, ...mappingOf(row) } : { ...client, providerType }
}

const mappingOf = (row: OAuth2) => ({
  authorizationUrl: row.authorization_url,
  tokenUrl: row.token_url,
  profileUrl: row.profile_url,
  idField: row.id_field,
  emailField: row.email_field,
  emailVerifiedField: row.email_verified_field,
  firstNameField: row.first_name_field,
  lastNameField: row.last_name_field,
  nameField: row.name_field
})

const oauth2Row = (provider: OAuth2Provider) => ({
  authorization_url: provider.authorizationUrl,
  token_url: provider.tokenUrl,
  profile_url: provider.profileUrl,
  id_field: provider.idField,
  email_field: provider.emailField,
  email_verified_field: provider.emailVerifiedField,
  first_name_field: provider.firstNameField,
  last_name_field: provider.lastNameField,
  name_field: provider.nameField
})

/** The columns of a provider that an update may change. */
const toRow = (provider: AuthProvider) => {
  const { state } = provider
  if (provider.providerType === "totp") return { state }
  if (provider.providerType === "passkey") {
    return {
      state,
      user_verification: provider.userVerification,
      attestation: provider.attestation,
      attestation_roots: provider.attestationRoots
    }
  }
  if (provider.providerType === "email_code") return { state, second_factor: provider.secondFactor }
  if (provider.providerType === "password") {
    return {
      state,
      min_length: provider.minLength,
      preset: provider.preset,
      required_chars: provider.requiredChars
    }
  }
  const client = { state, name: provider.name, client_id: provider.clientId, scopes: provider.scopes }
  return provider.providerType === "oauth2" ? { ...client, ...oauth2Row(provider) } : client
}

const locationOf = ({ realmId, id }: Pick<AuthProvider, "realmId" | "id">): SecretLocation => ({
  table: "auth_providers",
  column: "client_secret",
  row: id,
  realm: realmId
})

/** Stores the auth providers of realms, with encrypted client secrets. */
export class AuthProvidersRepo extends Context.Service<
  AuthProvidersRepo,
  {
    /** The insertion of a provider that has no client secret. */
    insertion(provider: AuthProvider): Write
    /**
     * Inserts an external provider. False if the realm already has one of its type; it may have many of type `oauth2`.
     */
    insertExternal(provider: ExternalProvider, clientSecret: string): Effect.Effect<boolean>
    /** Updates a provider, and its client secret unless that is undefined. */
    update(provider: AuthProvider, clientSecret: string | undefined): Effect.Effect<void>
    find(realmId: RealmId, ref: ProviderRef): Effect.Effect<AuthProvider | undefined>
    findForUpdate(realmId: RealmId, ref: ProviderRef): Effect.Effect<AuthProvider | undefined>
    /** The client secret of an external provider: null if decryption fails, undefined for a built-in provider. */
    clientSecret(provider: Pick<AuthProvider, "realmId" | "id">): Effect.Effect<string | null | undefined>
    delete(realmId: RealmId, id: AuthProviderId): Effect.Effect<void>
    /** Returns one row more than the page holds, ordered by id. */
    list(realmId: RealmId, filter: AuthProviderFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<AuthProvider>>
    /** The realm's password policy. */
    passwordRules(realmId: RealmId): Effect.Effect<PasswordRules | undefined>
    /** The realm's rules for passkeys. Undefined if they are not active. */
    passkeyRules(realmId: RealmId): Effect.Effect<PasskeyRules | undefined>
    /** The realm's providers of a type, oldest first. */
    ofType(realmId: RealmId, providerType: string): Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** The provider of a type that a realm has only once. */
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
          on conflict (realm_id, provider_type) where provider_type <> 'oauth2' do nothing returning id`.pipe(
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

      /** As a realm has one provider of each type but `oauth2`, their index is for the others. */
      const ofTypeIn = (type: ProviderType) =>
        type === "oauth2" ? sql`provider_type = 'oauth2'` : sql`provider_type = ${type} and provider_type <> 'oauth2'`

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
        insertion: (provider) => insertionInto(sql, "auth_providers", [newRow(provider)]),
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
