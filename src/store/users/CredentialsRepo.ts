import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CredentialDetails, CredentialType } from "#domain/Credential"
import type { AuthProviderId, CredentialId, RealmId, UserId } from "#domain/Ids"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { violates } from "#platform/Transaction"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { columnTypes, conflictOf, type Write, writeAlone } from "../statements/Writes.ts"

/** A password credential. */
export interface PasswordCredential {
  readonly id: CredentialId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly passwordHash: string
  readonly createdAt: DateTime.Utc
}

/** The reason a credential cannot be stored: a conflict with another one, or its provider has been deleted. */
export type CredentialConflict = "api_key" | "password" | "provider" | "provider_user"

/** A credential to insert, including the stored parts that are never returned. */
export interface NewCredential extends CredentialDetails {
  readonly passwordHash: string | null
  readonly keyDigest: Uint8Array | null
  readonly codeDigests?: ReadonlyArray<string> | null
  /** When the credential was locked. Since then, it can't be used to log in. */
  readonly lockedAt?: DateTime.Utc | null
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
  readonly codes_left: number | null
  readonly created_at: Date
}

const readColumns = `realm_id, id, user_id, credential_type, name, state, auth_provider_id, secret, provider_user_id,
  token_expires_at, cardinality(code_digests) as codes_left, created_at`

/** The location of a credential's encrypted secret. */
export const locationOf = (realm: RealmId, row: CredentialId): SecretLocation => ({
  table: "credentials",
  column: "secret",
  row,
  realm
})

const hasRows = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<boolean, never, R> =>
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
  return reason._tag === "ConstraintError" &&
    constraintIn(reason.cause) === "credentials_realm_id_auth_provider_id_fkey"
    ? "provider"
    : undefined
}

const constraintIn = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null ? Reflect.get(cause, "constraint") : undefined

/** The columns of a new credential except its realm, with their types for `json_to_recordset`. */
const columns = {
  id: "text",
  user_id: "text",
  credential_type: "text",
  auth_provider_id: "text",
  password_hash: "text",
  key_digest: "bytea",
  created_at: "timestamptz",
  name: "text",
  state: "text",
  secret: "text",
  provider_user_id: "text",
  token_expires_at: "timestamptz",
  locked_at: "timestamptz",
  code_digests: "text[]"
} as const

const [columnNames, recordTypes] = [Object.keys(columns).join(", "), columnTypes(columns)]

/** Stores users' credentials with encrypted secrets. */
export class CredentialsRepo extends Context.Service<
  CredentialsRepo,
  {
    /** Sets a user's password and unlocks it. */
    putPassword(credential: PasswordCredential): Effect.Effect<void>
    /** Returns a user's password hash, unless the password is locked. */
    passwordHash(realmId: RealmId, userId: UserId): Effect.Effect<string | undefined>
    /** Replaces a hash with a stronger one for the same password. Does nothing if the stored hash has changed. */
    rehash(realmId: RealmId, userId: UserId, from: string, to: string): Effect.Effect<void>
    /** A write that inserts new credentials of one user. */
    insertion(credentials: ReadonlyArray<NewCredential>): Effect.Effect<Write<CredentialConflict>>
    /** Inserts a credential. Returns the conflict, if any. */
    insert(credential: NewCredential): Effect.Effect<CredentialConflict | undefined>
    /** Updates a credential, except for its API key. Returns the conflict, if any. */
    update(credential: CredentialDetails): Effect.Effect<CredentialConflict | undefined>
    /**
     * Replaces an API key. Returns false if the same key is already stored in the same way, or `api_key` if another user
     * has it.
     */
    replaceKey(credential: CredentialDetails, keyDigest: Uint8Array): Effect.Effect<boolean | "api_key">
    find(realmId: RealmId, id: CredentialId): Effect.Effect<CredentialDetails | undefined>
    /** Counts a user's credentials of a type. */
    countOfType(realmId: RealmId, userId: UserId, type: CredentialType): Effect.Effect<number>
    /** Returns whether the user already has a credential at the same provider. */
    isLinked(credential: CredentialDetails): Effect.Effect<boolean>
    /** Returns a user's oldest API key. */
    firstApiKey(realmId: RealmId, userId: UserId): Effect.Effect<CredentialDetails | undefined>
    /** Returns a user's active TOTP devices, oldest first. */
    activeTotps(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<CredentialDetails>>
    /** Marks a TOTP device's time step as used. Returns true for only one caller, and never for an older step (SEC-17, SEC-18). */
    acceptStep(realmId: RealmId, id: CredentialId, step: number): Effect.Effect<boolean>
    delete(realmId: RealmId, id: CredentialId): Effect.Effect<boolean>
    /** Deletes a user's recovery codes. */
    deleteRecoveryCodes(realmId: RealmId, userId: UserId): Effect.Effect<void>
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<void>
  }
>()("sallyport/store/CredentialsRepo") {
  static readonly layer = Layer.effect(
    CredentialsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets
      const select = sql.literal(`select ${readColumns} from credentials`)

      const fromRow = Effect.fnUntraced(function* (row: Row) {
        const credential: CredentialDetails = {
          id: row.id,
          realmId: row.realm_id,
          userId: row.user_id,
          credentialType: row.credential_type,
          name: row.name,
          state: row.state,
          authProviderId: row.auth_provider_id,
          secret: row.secret === null ? null : yield* secrets.decrypt(locationOf(row.realm_id, row.id), row.secret),
          providerUserId: row.provider_user_id,
          tokenExpiresAt: utcOrNull(row.token_expires_at),
          codesLeft: row.codes_left,
          createdAt: utc(row.created_at)
        }
        return credential
      })

      const oneOf = ([row]: ReadonlyArray<Row>) => (row === undefined ? Effect.succeed(undefined) : fromRow(row))

      /** The columns of a credential that an update may change. */
      const toRow = Effect.fnUntraced(function* (credential: CredentialDetails) {
        const { realmId, id, secret } = credential
        return {
          name: credential.name,
          state: credential.state,
          secret: secret === null ? null : yield* secrets.encrypt(locationOf(realmId, id), secret),
          provider_user_id: credential.providerUserId,
          token_expires_at: dateOrNull(credential.tokenExpiresAt)
        }
      })

      const newRow = Effect.fnUntraced(function* (credential: NewCredential) {
        return {
          id: credential.id,
          user_id: credential.userId,
          credential_type: credential.credentialType,
          auth_provider_id: credential.authProviderId,
          password_hash: credential.passwordHash,
          key_digest: credential.keyDigest === null ? null : `\\x${Buffer.from(credential.keyDigest).toString("hex")}`,
          created_at: date(credential.createdAt),
          locked_at: dateOrNull(credential.lockedAt ?? null),
          code_digests: credential.codeDigests ?? null,
          ...(yield* toRow(credential))
        } satisfies Record<keyof typeof columns, unknown>
      })

      const insertion = (credentials: ReadonlyArray<NewCredential>) =>
        Effect.map(
          Effect.forEach(credentials, newRow),
          (rows): Write<CredentialConflict> => ({
            realmLock: "key share",
            statement: (before) => sql`insert into credentials (realm_id, ${sql.literal(columnNames)})
              select before.realm_id, c.* from ${before},
                json_to_recordset(${JSON.stringify(rows)}::json) as c (${sql.literal(recordTypes)})`,
            conflictIn
          })
        )

      const insert = (credential: NewCredential) =>
        Effect.flatMap(insertion([credential]), (write) => writeAlone(sql, credential.realmId, write))

      const update = Effect.fnUntraced(function* (credential: CredentialDetails) {
        const { secret, ...row } = yield* toRow(credential)
        // If decryption failed, a TOTP device's secret is null here. It is not overwritten, because the key may become
        // available again.
        const changes = credential.credentialType === "totp" && secret === null ? row : { ...row, secret }
        return yield* conflictOf(
          sql`update credentials set ${sql.update(changes)}
            where realm_id = ${credential.realmId} and id = ${credential.id}`,
          conflictIn
        )
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
        insertion,
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
            and auth_provider_id = ${authProviderId} limit 1`.pipe(hasRows),
        firstApiKey: (realmId, userId) =>
          sql<Row>`${select} where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'api_key'
            order by id limit 1`.pipe(Effect.orDie, Effect.flatMap(oneOf)),
        activeTotps: (realmId, userId) =>
          sql<Row>`${select} where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'totp'
            and state = 'active' order by id`.pipe(Effect.orDie, Effect.flatMap(Effect.forEach(fromRow))),
        acceptStep: (realmId, id, step) =>
          sql`update credentials set last_step = ${step} where realm_id = ${realmId} and id = ${id}
            and (last_step is null or last_step < ${step}) returning id`.pipe(hasRows),
        delete: (realmId, id) =>
          sql`delete from credentials where realm_id = ${realmId} and id = ${id} returning id`.pipe(hasRows),
        deleteRecoveryCodes: (realmId, userId) =>
          sql`delete from credentials where realm_id = ${realmId} and user_id = ${userId}
            and credential_type = 'recovery_codes'`.pipe(Effect.asVoid, Effect.orDie),
        deleteOfUser: (realmId, userId) =>
          sql`delete from credentials where realm_id = ${realmId} and user_id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
