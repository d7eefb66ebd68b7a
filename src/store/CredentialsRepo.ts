import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CredentialDetails, CredentialType } from "#domain/Credential"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "#domain/Ids"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { violates } from "#platform/Transaction"
import { date, dateOrNull, utc, utcOrNull } from "./Rows.ts"

/** A password credential as it is stored. */
export interface PasswordCredential {
  readonly id: CredentialId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly passwordHash: string
  readonly createdAt: DateTime.Utc
}

/** What stands in the way of a credential: another one, or its provider that has gone. */
export type CredentialConflict = "api_key" | "password" | "provider" | "provider_user"

/** What is stored of a credential and never shown. */
export interface HiddenParts {
  readonly passwordHash: string | null
  readonly keyDigest: Uint8Array | null
}

interface Row {
  readonly realm_id: RealmId
  readonly id: CredentialId
  readonly user_id: UserId
  readonly credential_type: CredentialType
  readonly name: string | null
  readonly state: "new" | "active" | null
  readonly auth_provider_id: AuthProviderId | null
  readonly secret: string | null
  readonly provider_user_id: string | null
  readonly token_expires_at: Date | null
  readonly created_at: Date
}

const columns = `realm_id, id, user_id, credential_type, name, state, auth_provider_id, secret, provider_user_id,
  token_expires_at, created_at`

const place = (realm: RealmId, row: CredentialId): SecretLocation => ({
  table: "credentials",
  column: "secret",
  row,
  realm
})

const some = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<boolean, never, R> =>
  statement.pipe(
    Effect.map((rows) => rows.length > 0),
    Effect.orDie
  )

const unique: Readonly<Record<string, CredentialConflict>> = {
  credentials_by_key: "api_key",
  credentials_one_password: "password",
  credentials_by_provider_user: "provider_user"
}

const conflictIn = ({ reason }: SqlError): CredentialConflict | undefined => {
  if (reason._tag === "UniqueViolation") return unique[reason.constraint]
  // The realm stays, and the user is held: only the provider can be gone.
  return reason._tag === "ConstraintError" ? "provider" : undefined
}

/** What the database says stands in the way of a statement. */
const inTheWay = <A, R>(
  statement: Effect.Effect<A, SqlError, R>
): Effect.Effect<CredentialConflict | undefined, never, R> =>
  statement.pipe(
    Effect.as(undefined),
    Effect.catch((error) => {
      const conflict = conflictIn(error)
      return conflict === undefined ? Effect.die(error) : Effect.succeed(conflict)
    })
  )

/** The credentials' rows, their secrets sealed. */
export class CredentialsRepo extends Context.Service<
  CredentialsRepo,
  {
    /** Gives a user this password, in place of any it has. */
    putPassword(credential: PasswordCredential): Effect.Effect<void>
    /** The hash of a user's password, unless it is locked. */
    passwordHash(realmId: RealmId, userId: UserId): Effect.Effect<string | undefined>
    /** Puts a better hash of the same password in place of one; nothing when that is no longer the user's. */
    rehash(realmId: RealmId, userId: UserId, from: string, to: string): Effect.Effect<void>
    /** Inserts a credential; tells what stands in its way, if something does. */
    insert(credential: CredentialDetails, hidden: HiddenParts): Effect.Effect<CredentialConflict | undefined>
    /** Stores what may change of a credential, its API key apart. */
    update(credential: CredentialDetails): Effect.Effect<CredentialConflict | undefined>
    /** Puts a key in place of an API key; false: it is the same, kept in the same way. */
    replaceKey(credential: CredentialDetails, keyDigest: Uint8Array): Effect.Effect<boolean | "api_key">
    find(realmId: RealmId, id: CredentialId): Effect.Effect<CredentialDetails | undefined>
    /** How many credentials of a type a user has. */
    countOfType(realmId: RealmId, userId: UserId, type: CredentialType): Effect.Effect<number>
    /** Whether the user has a credential of this one's provider. */
    isLinked(credential: CredentialDetails): Effect.Effect<boolean>
    /** A user's oldest API key. */
    firstApiKey(realmId: RealmId, userId: UserId): Effect.Effect<CredentialDetails | undefined>
    /** A user's active TOTP devices, oldest first. */
    activeTotps(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<CredentialDetails>>
    /** Takes a step of a TOTP device as used: true for exactly one caller, and never for an older step (SEC-17, SEC-18). */
    acceptStep(realmId: RealmId, id: CredentialId, step: number): Effect.Effect<boolean>
    delete(realmId: RealmId, id: CredentialId): Effect.Effect<boolean>
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<void>
  }
>()("sallyport/store/CredentialsRepo") {
  static readonly layer = Layer.effect(
    CredentialsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets
      const select = sql.literal(`select ${columns} from credentials`)

      const fromRow = Effect.fnUntraced(function* (row: Row) {
        const credential: CredentialDetails = {
          id: row.id,
          realmId: row.realm_id,
          userId: row.user_id,
          credentialType: row.credential_type,
          name: row.name,
          state: row.state,
          authProviderId: row.auth_provider_id,
          secret: row.secret === null ? null : yield* secrets.decrypt(place(row.realm_id, row.id), row.secret),
          providerUserId: row.provider_user_id,
          tokenExpiresAt: utcOrNull(row.token_expires_at),
          createdAt: utc(row.created_at)
        }
        return credential
      })

      const oneOf = ([row]: ReadonlyArray<Row>) => (row === undefined ? Effect.succeed(undefined) : fromRow(row))

      /** The columns that may change, apart from those of an API key. */
      const toRow = Effect.fnUntraced(function* (credential: CredentialDetails) {
        const { realmId, id, secret } = credential
        return {
          name: credential.name,
          state: credential.state,
          secret: secret === null ? null : yield* secrets.encrypt(place(realmId, id), secret),
          provider_user_id: credential.providerUserId,
          token_expires_at: dateOrNull(credential.tokenExpiresAt)
        }
      })

      const insert = Effect.fnUntraced(function* (credential: CredentialDetails, hidden: HiddenParts) {
        const row = {
          realm_id: credential.realmId,
          id: credential.id,
          user_id: credential.userId,
          credential_type: credential.credentialType,
          auth_provider_id: credential.authProviderId,
          password_hash: hidden.passwordHash,
          key_digest: hidden.keyDigest,
          created_at: date(credential.createdAt),
          ...(yield* toRow(credential))
        }
        return yield* inTheWay(sql`insert into credentials ${sql.insert(row)}`)
      })

      const update = Effect.fnUntraced(function* (credential: CredentialDetails) {
        const { secret, ...row } = yield* toRow(credential)
        // A device is never without its secret: one that could not be opened stays, for when its key is back.
        const kept = credential.credentialType === "totp" && secret === null ? row : { ...row, secret }
        return yield* inTheWay(sql`update credentials set ${sql.update(kept)}
          where realm_id = ${credential.realmId} and id = ${credential.id}`)
      })

      const replaceKey = Effect.fnUntraced(function* (credential: CredentialDetails, keyDigest: Uint8Array) {
        const { secret } = yield* toRow(credential)
        return yield* sql`update credentials set key_digest = ${keyDigest}, secret = ${secret}
          where realm_id = ${credential.realmId} and id = ${credential.id}
            and (key_digest <> ${keyDigest} or (secret is null) <> ${secret === null}) returning id`.pipe(
          Effect.map((rows): boolean | "api_key" => rows.length > 0),
          Effect.catchIf(violates("credentials_by_key"), () => Effect.succeed("api_key" as const)),
          Effect.orDie
        )
      })

      return CredentialsRepo.of({
        putPassword: (credential) =>
          sql`insert into credentials (realm_id, id, user_id, credential_type, password_hash, created_at)
            values (${credential.realmId}, ${credential.id}, ${credential.userId}, 'password',
              ${credential.passwordHash}, ${date(credential.createdAt)})
            on conflict (realm_id, user_id) where credential_type = 'password'
            do update set password_hash = excluded.password_hash, locked_at = null`.pipe(Effect.asVoid, Effect.orDie),
        passwordHash: (realmId, userId) =>
          sql<{ readonly password_hash: string | null }>`select password_hash from credentials
            where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'password'
              and locked_at is null`.pipe(
            Effect.map(([row]) => row?.password_hash ?? undefined),
            Effect.orDie
          ),
        rehash: (realmId, userId, from, to) =>
          sql`update credentials set password_hash = ${to} where realm_id = ${realmId} and user_id = ${userId}
            and credential_type = 'password' and password_hash = ${from}`.pipe(Effect.asVoid, Effect.orDie),
        insert,
        update,
        replaceKey,
        find: (realmId, id) =>
          sql<Row>`${select} where realm_id = ${realmId} and id = ${id}`.pipe(Effect.orDie, Effect.flatMap(oneOf)),
        countOfType: (realmId, userId, type) =>
          sql<{ readonly count: number }>`select count(*)::int as count from credentials where realm_id = ${realmId}
            and user_id = ${userId} and credential_type = ${type}`.pipe(
            Effect.map(([row]) => row?.count ?? 0),
            Effect.orDie
          ),
        isLinked: ({ realmId, userId, authProviderId }) =>
          sql`select id from credentials where realm_id = ${realmId} and user_id = ${userId}
            and auth_provider_id = ${authProviderId} limit 1`.pipe(some),
        firstApiKey: (realmId, userId) =>
          sql<Row>`${select} where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'api_key'
            order by id limit 1`.pipe(Effect.orDie, Effect.flatMap(oneOf)),
        activeTotps: (realmId, userId) =>
          sql<Row>`${select} where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'totp'
            and state = 'active' order by id`.pipe(Effect.orDie, Effect.flatMap(Effect.forEach(fromRow))),
        acceptStep: (realmId, id, step) =>
          sql`update credentials set last_step = ${step} where realm_id = ${realmId} and id = ${id}
            and (last_step is null or last_step < ${step}) returning id`.pipe(some),
        delete: (realmId, id) =>
          sql`delete from credentials where realm_id = ${realmId} and id = ${id} returning id`.pipe(some),
        deleteOfUser: (realmId, userId) =>
          sql`delete from credentials where realm_id = ${realmId} and user_id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
