import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CredentialType } from "#domain/Credential"
import type { AuthProviderId, CredentialId, MembershipId, OrgId, RealmId, UserId } from "#domain/Ids"
import type { Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { User } from "#domain/User"
import { type OrgRow, orgFromRow } from "../orgs/OrgsRepo.ts"
import { date, utc } from "../statements/Rows.ts"
import { type UserRow, userColumns, userFromRow } from "../users/UsersRepo.ts"

/** The parts of a user's credential that an import compares. `keyDigest` is in hexadecimal. */
export interface StoredCredential {
  readonly id: CredentialId
  readonly credentialType: CredentialType
  readonly passwordHash: string | null
  readonly name: string | null
  readonly authProviderId: AuthProviderId | null
  readonly providerUserId: string | null
  readonly keyDigest: string | null
}

/** A user that an import row may match, with credentials and memberships, including expired ones. */
export interface StoredUser {
  readonly user: User
  readonly credentials: ReadonlyArray<StoredCredential>
  readonly memberships: ReadonlyArray<Membership>
}

/** Values that only one user may have. `emails` are in folded form, `keyDigests` in hexadecimal. */
export interface UniqueValues {
  readonly emails: ReadonlyArray<string>
  readonly usernameKeys: ReadonlyArray<string>
  readonly profiles: ReadonlyArray<readonly [provider: AuthProviderId, providerUserId: string]>
  readonly keyDigests: ReadonlyArray<string>
}

/**
 * A value that already belongs to a user. For a profile, `value` consists of the provider's id, a space, and the user's id
 * at the provider.
 */
export interface TakenValue {
  readonly kind: "email" | "username" | "profile" | "api_key"
  readonly value: string
  readonly userId: UserId
}

/** The ids of users and orgs in rows. */
export interface IdsInRows {
  readonly users: ReadonlyArray<UserId>
  readonly orgs: ReadonlyArray<OrgId>
}

/** What is stored about the ids in rows. */
export interface StoredIds {
  /** Whether the realm has no users, or its users were imported with ids. */
  readonly isOpen: boolean
  /** The realm that has each id, for ids of users and orgs that exist. */
  readonly holders: ReadonlyMap<string, RealmId>
}

type CredentialFields = readonly [
  CredentialId,
  CredentialType,
  string | null,
  string | null,
  AuthProviderId | null,
  string | null,
  string | null
]

type MembershipFields = readonly [
  MembershipId,
  OrgId | null,
  ReadonlyArray<string>,
  Membership["custom"],
  number,
  number | null
]

interface StoredRow extends UserRow {
  readonly credentials: ReadonlyArray<CredentialFields>
  readonly memberships: ReadonlyArray<MembershipFields>
}

const millis = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`

const storedUser = (row: StoredRow): StoredUser => ({
  user: userFromRow(row),
  credentials: row.credentials.map(
    ([id, credentialType, passwordHash, name, authProviderId, providerUserId, keyDigest]) => ({
      id,
      credentialType,
      passwordHash,
      name,
      authProviderId,
      providerUserId,
      keyDigest
    })
  ),
  memberships: row.memberships.map(([id, orgId, permissions, custom, createdAt, expiresAt]) => ({
    id,
    realmId: row.realm_id,
    userId: row.id,
    orgId,
    permissions,
    custom,
    createdAt: utc(new Date(createdAt)),
    expiresAt: expiresAt === null ? null : utc(new Date(expiresAt))
  }))
})

/**
 * Reads the data that import rows are compared with, in one statement per batch of rows. `offset 0` makes PostgreSQL look
 * up each value separately. Otherwise a plan might read the whole realm while the tables are filling and the planner's
 * statistics are out of date.
 */
export class ImportsRepo extends Context.Service<
  ImportsRepo,
  {
    /** Makes other imports into the realm wait until the transaction ends. */
    lock(realmId: RealmId): Effect.Effect<void>
    /** Finds the users with these references or ids. Several users may share a reference. */
    users(
      realmId: RealmId,
      references: ReadonlyArray<string>,
      ids: ReadonlyArray<UserId>
    ): Effect.Effect<ReadonlyArray<StoredUser>>
    /** Locks users against other changes until the transaction ends. */
    lockUsers(realmId: RealmId, ids: ReadonlyArray<UserId>): Effect.Effect<void>
    /** Finds the orgs with these references or ids, and locks them so that none is closed before the transaction ends. */
    orgs(
      realmId: RealmId,
      references: ReadonlyArray<string>,
      ids: ReadonlyArray<OrgId>
    ): Effect.Effect<ReadonlyArray<Org>>
    /**
     * Updates the planner's statistics if they show fewer than `users` users. With outdated statistics, the planner expects
     * a realm of thousands of users to have only a few, and reads the whole realm to check each foreign key.
     */
    refreshStatistics(users: number): Effect.Effect<void>
    /** Makes other imports that keep ids wait until the transaction ends, in all realms. */
    readonly lockIds: Effect.Effect<void>
    /** Returns whether the realm can keep ids, and which of these ids exist in any realm. */
    storedIds(realmId: RealmId, ids: IdsInRows): Effect.Effect<StoredIds>
    /** Stores that the realm's users were imported with ids. */
    keepIds(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
    /** Returns which of these values already belong to users, except emails that may be shared. */
    taken(realmId: RealmId, values: UniqueValues): Effect.Effect<ReadonlyArray<TakenValue>>
  }
>()("sallyport/store/ImportsRepo") {
  static readonly layer = Layer.effect(
    ImportsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(userColumns)
      const credentials = sql.literal(`(select coalesce(json_agg(json_build_array(c.id, c.credential_type,
          c.password_hash, c.name, c.auth_provider_id, c.provider_user_id, encode(c.key_digest, 'hex')) order by c.id), '[]')
        from credentials c where c.realm_id = u.realm_id and c.user_id = u.id) as credentials`)
      const memberships =
        sql.literal(`(select coalesce(json_agg(json_build_array(m.id, m.org_id, m.permissions, m.custom,
          ${millis("m.created_at")}, ${millis("m.expires_at")}) order by m.id), '[]')
        from memberships m where m.realm_id = u.realm_id and m.user_id = u.id) as memberships`)

      return ImportsRepo.of({
        lock: (realmId) =>
          sql`select pg_advisory_xact_lock(hashtext('import'), hashtext(${realmId}))`.pipe(Effect.asVoid, Effect.orDie),
        users: (realmId, references, ids) =>
          sql<StoredRow>`select ${columns}, ${credentials}, ${memberships}
            from (
              select f.id from unnest(${references}::text[]) wanted (reference) cross join lateral (
                select id from users where realm_id = ${realmId} and reference = wanted.reference offset 0) f
              union select f.id from unnest(${ids}::text[]) wanted (id) cross join lateral (
                select id from users where realm_id = ${realmId} and id = wanted.id offset 0) f
            ) found cross join lateral (
              select * from users where realm_id = ${realmId} and id = found.id offset 0) u
            order by u.id`.pipe(
            Effect.map((rows) => rows.map(storedUser)),
            Effect.orDie
          ),
        lockUsers: (realmId, ids) =>
          sql`select 1 as one from users where realm_id = ${realmId} and id = any(${ids}::text[]) order by id for update`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        orgs: (realmId, references, ids) =>
          sql<OrgRow>`select id, realm_id, state, name, reference, custom, created_at from orgs
            where realm_id = ${realmId} and deleted_at is null and id = any(array(
              select f.id from unnest(${references}::text[]) wanted (reference) cross join lateral (
                select id from orgs where realm_id = ${realmId} and reference = wanted.reference
                  and deleted_at is null offset 0) f
              union select unnest(${ids}::text[])
            )) order by id for share`.pipe(
            Effect.map((rows) => rows.map(orgFromRow)),
            Effect.orDie
          ),
        refreshStatistics: (users) =>
          sql<{ readonly known: number }>`select reltuples::float8 as known from pg_class
            where oid = 'users'::regclass`.pipe(
            Effect.flatMap(([row]) =>
              row === undefined || row.known >= users
                ? Effect.void
                : Effect.asVoid(sql`analyze users, last_logins, credentials, orgs, memberships`)
            ),
            Effect.orDie
          ),
        lockIds: sql`select pg_advisory_xact_lock(hashtext('import'), hashtext('ids'))`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
        storedIds: (realmId, { users, orgs }) =>
          sql<{ readonly id: string | null; readonly realm_id: RealmId }>`
            select null as id, realm_id from id_imports where realm_id = ${realmId}
            union all select null, r.id from realms r
              where r.id = ${realmId} and not exists (select from users where realm_id = ${realmId})
            union all select f.* from unnest(${users}::text[]) wanted (id) cross join lateral (
                select id, realm_id from users where id = wanted.id offset 0) f
            union all select f.* from unnest(${orgs}::text[]) wanted (id) cross join lateral (
                select id, realm_id from orgs where id = wanted.id offset 0) f`.pipe(
            Effect.map((rows) => ({
              isOpen: rows.some(({ id }) => id === null),
              holders: new Map(rows.flatMap(({ id, realm_id }) => (id === null ? [] : [[id, realm_id] as const])))
            })),
            Effect.orDie
          ),
        keepIds: (realmId, now) =>
          sql`insert into id_imports (realm_id, began_at) values (${realmId}, ${date(now)}) on conflict do nothing`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        taken: (realmId, { emails, usernameKeys, profiles, keyDigests }) =>
          sql<{ readonly kind: TakenValue["kind"]; readonly value: string; readonly user_id: UserId }>`
            select 'email' as kind, f.* from unnest(${emails}::text[]) wanted (value) cross join lateral (
                select email as value, id as user_id from users
                where realm_id = ${realmId} and email = wanted.value and email_unique offset 0) f
            union all select 'username', f.* from unnest(${usernameKeys}::text[]) wanted (value) cross join lateral (
                select username_key, id from users where realm_id = ${realmId} and username_key = wanted.value offset 0) f
            union all select 'profile', f.* from json_array_elements(${JSON.stringify(profiles)}::json) wanted (pair)
              cross join lateral (
                select auth_provider_id || ' ' || provider_user_id, user_id from credentials
                where realm_id = ${realmId} and auth_provider_id = wanted.pair ->> 0
                  and provider_user_id = wanted.pair ->> 1 offset 0) f
            union all select 'api_key', f.* from unnest(${keyDigests}::text[]) wanted (digest) cross join lateral (
                select encode(key_digest, 'hex'), user_id from credentials
                where realm_id = ${realmId} and key_digest = decode(wanted.digest, 'hex') offset 0) f`.pipe(
            Effect.map((rows) => rows.map(({ kind, value, user_id }) => ({ kind, value, userId: user_id }))),
            Effect.orDie
          )
      })
    })
  )
}
