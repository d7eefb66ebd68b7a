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
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { keysetPage } from "./KeysetPage.ts"
import { date, utc } from "./Rows.ts"

/** What the list of providers is narrowed by. */
export interface AuthProviderFilter {
  readonly providerType: ProviderType | undefined
  readonly state: ProviderState | undefined
}

/** Which provider it is, and whether it is to be used. */
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
  | (Client & { readonly provider_type: WellKnownType })
  | OAuth2

const columns = `id, realm_id, provider_type, state, created_at, min_length, preset, required_chars, name, client_id,
  scopes, authorization_url, token_url, profile_url, id_field, email_field, email_verified_field, first_name_field,
  last_name_field, name_field`

const rulesOf = (row: Policy): PasswordRules => ({
  state: row.state,
  minLength: row.min_length,
  preset: row.preset,
  requiredChars: row.required_chars
})

const fromRow = (row: Row): AuthProvider => {
  const identity = { id: row.id, realmId: row.realm_id, state: row.state, createdAt: utc(row.created_at) }
  const { provider_type: providerType } = row
  if (providerType === "totp") return { ...identity, providerType }
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

/** The columns of a provider's own type: what may change of it. */
const toRow = (provider: AuthProvider) => {
  const { state } = provider
  if (provider.providerType === "totp") return { state }
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

const place = ({ realmId, id }: Pick<AuthProvider, "realmId" | "id">): SecretLocation => ({
  table: "auth_providers",
  column: "client_secret",
  row: id,
  realm: realmId
})

/** The rows of what realms authenticate with, the client secrets sealed. */
export class AuthProvidersRepo extends Context.Service<
  AuthProvidersRepo,
  {
    /** Inserts a provider that needs no secret. */
    insert(provider: AuthProvider): Effect.Effect<void>
    /** Inserts a provider elsewhere; false when the realm has one of its type already. */
    insertExternal(provider: ExternalProvider, clientSecret: string): Effect.Effect<boolean>
    /** Changes a provider, and its client secret where one is given. */
    update(provider: AuthProvider, clientSecret: string | undefined): Effect.Effect<void>
    find(realmId: RealmId, name: ProviderRef): Effect.Effect<AuthProvider | undefined>
    findForUpdate(realmId: RealmId, name: ProviderRef): Effect.Effect<AuthProvider | undefined>
    /** What we are known by to a provider elsewhere: null when it can't be opened, undefined of one that is here. */
    clientSecret(provider: Pick<AuthProvider, "realmId" | "id">): Effect.Effect<string | null | undefined>
    delete(realmId: RealmId, id: AuthProviderId): Effect.Effect<void>
    /** One row more than asked for, in the order of ids. */
    list(realmId: RealmId, filter: AuthProviderFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<AuthProvider>>
    /** What the realm demands of passwords. */
    passwordRules(realmId: RealmId): Effect.Effect<PasswordRules | undefined>
    /** The realm's providers of a type, oldest first. */
    ofType(realmId: RealmId, providerType: string): Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** The one provider of a type. */
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
      const named = (name: ProviderRef) =>
        isUniqueProviderType(name) ? sql`provider_type = ${name}` : sql`id = ${name}`

      const wholeRow = (provider: AuthProvider) => ({
        realm_id: provider.realmId,
        id: provider.id,
        provider_type: provider.providerType,
        ...toRow(provider),
        created_at: date(provider.createdAt)
      })

      const insertExternal = Effect.fn("AuthProvidersRepo.insertExternal")(function* (
        provider: ExternalProvider,
        clientSecret: string
      ) {
        const row = { ...wholeRow(provider), client_secret: yield* secrets.encrypt(place(provider), clientSecret) }
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
        const sealed =
          clientSecret === undefined ? {} : { client_secret: yield* secrets.encrypt(place(provider), clientSecret) }
        yield* sql`update auth_providers set ${sql.update({ ...toRow(provider), ...sealed })}
          where realm_id = ${provider.realmId} and id = ${provider.id}`.pipe(Effect.orDie)
      })

      const clientSecret = Effect.fn("AuthProvidersRepo.clientSecret")(function* (
        provider: Pick<AuthProvider, "realmId" | "id">
      ) {
        const [row] = yield* sql<{ readonly client_secret: string | null }>`select client_secret from auth_providers
          where realm_id = ${provider.realmId} and id = ${provider.id}`.pipe(Effect.orDie)
        return row === undefined || row.client_secret === null
          ? undefined
          : yield* secrets.decrypt(place(provider), row.client_secret)
      })

      const list = (realmId: RealmId, filter: AuthProviderFilter, page: PageOf<"id">) => {
        const conditions = [sql`realm_id = ${realmId}`]
        if (filter.providerType !== undefined) conditions.push(sql`provider_type = ${filter.providerType}`)
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
        insert: (provider) =>
          sql`insert into auth_providers ${sql.insert(wholeRow(provider))}`.pipe(Effect.asVoid, Effect.orDie),
        insertExternal,
        update,
        find: (realmId, name) =>
          sql<Row>`${select} where realm_id = ${realmId} and ${named(name)}`.pipe(one, Effect.orDie),
        findForUpdate: (realmId, name) =>
          sql<Row>`${select} where realm_id = ${realmId} and ${named(name)} for update`.pipe(one, Effect.orDie),
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
        ofType,
        stateOf: (realmId, providerType) => Effect.map(ofType(realmId, providerType), ([status]) => status)
      })
    })
  )
}
