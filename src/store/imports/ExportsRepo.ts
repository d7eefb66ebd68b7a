import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { PortableType } from "#domain/Credential"
import type { AuthProviderId, CredentialId, MembershipId, OrgId, RealmId, UserId } from "#domain/Ids"
import type { Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { type OrgRow, orgFromRow } from "../orgs/OrgsRepo.ts"
import { date, utc, utcOrNull } from "../statements/Rows.ts"

/** A credential in an export. `secret` is null if there is none, if it can't be decrypted, or if it was not requested. */
export interface ExportedCredential {
  readonly userId: UserId
  readonly credentialType: PortableType
  readonly passwordHash: string | null
  readonly lockedAt: DateTime.Utc | null
  readonly name: string | null
  readonly state: "new" | "active" | null
  readonly authProviderId: AuthProviderId | null
  readonly secret: string | null
  readonly providerUserId: string | null
  readonly tokenExpiresAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
}

interface CredentialRow {
  readonly id: CredentialId
  readonly user_id: UserId
  readonly credential_type: PortableType
  readonly password_hash: string | null
  readonly locked_at: Date | null
  readonly name: string | null
  readonly state: "new" | "active" | null
  readonly auth_provider_id: AuthProviderId | null
  readonly secret: string | null
  readonly provider_user_id: string | null
  readonly token_expires_at: Date | null
  readonly created_at: Date
}

interface MembershipRow {
  readonly id: MembershipId
  readonly user_id: UserId
  readonly org_id: OrgId | null
  readonly permissions: ReadonlyArray<string>
  readonly custom: Membership["custom"]
  readonly created_at: Date
  readonly expires_at: Date | null
}

/** The memberships to export. `from` is the first id that a pending reset does not delete. */
export interface ExportedMemberships {
  readonly now: DateTime.Utc
  readonly from: string | undefined
  /** The maximum number of memberships per user. The oldest are exported. */
  readonly maxPerUser: number
}

const locationOf = (realm: RealmId, row: CredentialId): SecretLocation => ({
  table: "credentials",
  column: "secret",
  row,
  realm
})

/** Reads the data of one page of users for an export. Each kind of data takes one statement. */
export class ExportsRepo extends Context.Service<
  ExportsRepo,
  {
    /** Returns users' credentials, oldest first, except passkeys (C135). `secrets` is whether to include hashes and secrets. */
    credentials(
      realmId: RealmId,
      users: ReadonlyArray<UserId>,
      secrets: boolean
    ): Effect.Effect<ReadonlyArray<ExportedCredential>>
    /** Returns users' memberships, oldest first, except expired ones and those in closed orgs. */
    memberships(
      realmId: RealmId,
      users: ReadonlyArray<UserId>,
      wanted: ExportedMemberships
    ): Effect.Effect<ReadonlyArray<Membership>>
    orgs(realmId: RealmId, ids: ReadonlyArray<OrgId>): Effect.Effect<ReadonlyArray<Org>>
    /** Returns the given references that several users share. */
    sharedByUsers(realmId: RealmId, references: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
    /** Returns the given references that several orgs share. */
    sharedByOrgs(realmId: RealmId, references: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  }
>()("sallyport/store/ExportsRepo") {
  static readonly layer = Layer.effect(
    ExportsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const encryption = yield* Secrets
      const references = Effect.map((rows: ReadonlyArray<{ readonly reference: string }>) =>
        rows.map(({ reference }) => reference)
      )

      const credentialOf = Effect.fnUntraced(function* (realmId: RealmId, row: CredentialRow, secrets: boolean) {
        const encrypted = secrets ? row.secret : null
        const credential: ExportedCredential = {
          userId: row.user_id,
          credentialType: row.credential_type,
          passwordHash: secrets ? row.password_hash : null,
          lockedAt: utcOrNull(row.locked_at),
          name: row.name,
          state: row.state,
          authProviderId: row.auth_provider_id,
          secret: encrypted === null ? null : yield* encryption.decrypt(locationOf(realmId, row.id), encrypted),
          providerUserId: row.provider_user_id,
          tokenExpiresAt: utcOrNull(row.token_expires_at),
          createdAt: utc(row.created_at)
        }
        return credential
      })

      return ExportsRepo.of({
        credentials: (realmId, users, secrets) =>
          sql<CredentialRow>`select c.* from unnest(${users}::text[]) u (id) cross join lateral (
              select id, user_id, credential_type, password_hash, locked_at, name, state,
                auth_provider_id, secret, provider_user_id, token_expires_at, created_at
              from credentials where realm_id = ${realmId} and user_id = u.id
                and credential_type not in ('recovery_codes', 'passkey') offset 0) c order by c.id`.pipe(
            Effect.orDie,
            Effect.flatMap(Effect.forEach((row) => credentialOf(realmId, row, secrets)))
          ),
        memberships: (realmId, users, { now, from, maxPerUser }) =>
          sql<MembershipRow>`select m.* from unnest(${users}::text[]) u (id) cross join lateral (
              select m.id, m.user_id, m.org_id, m.permissions, m.custom, m.created_at, m.expires_at
              from memberships m left join orgs o on o.realm_id = m.realm_id and o.id = m.org_id
              where m.realm_id = ${realmId} and m.user_id = u.id and m.id >= ${from ?? ""}
                and (m.expires_at is null or m.expires_at > ${date(now)})
                and (m.org_id is null or (o.deleted_at is null and o.state <> 'closed'))
              order by m.id limit ${maxPerUser}
            ) m order by m.id`.pipe(
            Effect.map((rows) =>
              rows.map((row) => ({
                id: row.id,
                realmId,
                userId: row.user_id,
                orgId: row.org_id,
                permissions: row.permissions,
                custom: row.custom,
                createdAt: utc(row.created_at),
                expiresAt: utcOrNull(row.expires_at)
              }))
            ),
            Effect.orDie
          ),
        orgs: (realmId, ids) =>
          sql<OrgRow>`select id, realm_id, state, name, reference, custom, created_at from orgs
            where realm_id = ${realmId} and id = any(${ids}::text[]) order by id`.pipe(
            Effect.map((rows) => rows.map(orgFromRow)),
            Effect.orDie
          ),
        sharedByUsers: (realmId, wanted) =>
          sql<{ readonly reference: string }>`select wanted.reference from unnest(${wanted}::text[]) wanted (reference)
            cross join lateral (select id from users
              where realm_id = ${realmId} and reference = wanted.reference limit 2) u
            group by wanted.reference having count(distinct u.id) > 1`.pipe(references, Effect.orDie),
        sharedByOrgs: (realmId, wanted) =>
          sql<{ readonly reference: string }>`select wanted.reference from unnest(${wanted}::text[]) wanted (reference)
            cross join lateral (select id from orgs
              where realm_id = ${realmId} and reference = wanted.reference and deleted_at is null limit 2) o
            group by wanted.reference having count(distinct o.id) > 1`.pipe(references, Effect.orDie)
      })
    })
  )
}
