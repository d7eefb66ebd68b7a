import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RegistrationKind } from "#domain/clients/ClientRegistration"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { AppId, RealmId } from "#domain/Ids"
import { date, dateOrNull, utcOrNull } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"
import { type OAuthClientRow, oauthClientOf, oauthColumns, registrationJoin } from "./OAuthClientRows.ts"

/** The registration of a new self-registered client. `tokenDigest` is the digest of its registration access token. */
export interface NewRegistration {
  readonly kind: RegistrationKind
  readonly tokenDigest: string | null
  readonly documentUrl: string | null
  readonly documentExpiresAt: DateTime.Utc | null
  readonly unusedUntil: DateTime.Utc | null
}

/** A client with a metadata document. `expiresAt` is when the stored copy of the document expires. */
export interface DocumentClient {
  readonly client: OAuthClient
  readonly expiresAt: DateTime.Utc | null
}

interface DocumentRow extends OAuthClientRow {
  readonly document_expires_at: Date | null
}

type ClientKey = Pick<OAuthClient, "realmId" | "id">

/** Stores the registrations of self-registered OAuth clients. A row is deleted together with its client. */
export class OAuthRegistrationsRepo extends Context.Service<
  OAuthRegistrationsRepo,
  {
    /** Inserts a client's registration. Returns false if there is already a client with the same document. */
    insert(client: ClientKey, registration: NewRegistration): Effect.Effect<boolean>
    /** Counts a realm's clients that registered without an API key and have not had a token yet, up to `limit`. */
    countUnused(realmId: RealmId, limit: number): Effect.Effect<number>
    /** Finds the client with this registration access token, in any state. */
    findByToken(realmId: RealmId, id: AppId, digest: string): Effect.Effect<OAuthClient | undefined>
    /** Replaces a registration access token. Returns false if the client no longer has it. */
    replaceToken(client: ClientKey, digest: string, next: string): Effect.Effect<boolean>
    /** Finds the client with this metadata document, in any state. */
    findByDocument(realmId: RealmId, url: string): Effect.Effect<DocumentClient | undefined>
    updateDocument(client: ClientKey, expiresAt: DateTime.Utc): Effect.Effect<void>
    /** A write that records that a client gets a token, so that it won't be deleted as unused. */
    recordUse(client: ClientKey): Write
    /** Deletes clients that have not been used in time, in all realms that are not deleted. Skips rows locked by another node. */
    claimUnused(now: DateTime.Utc, limit: number): Effect.Effect<ReadonlyArray<ClientKey>>
    /** When the next client is due to be deleted as unused. It may be in the past. */
    readonly nextUnused: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/OAuthRegistrationsRepo") {
  static readonly layer = Layer.effect(
    OAuthRegistrationsRepo,
    Effect.map(SqlClient, (sql) => {
      const select = sql.literal(`select a.*, ${oauthColumns}, r.document_expires_at from oauth_clients c
        join login_policies a on a.realm_id = c.realm_id and a.id = c.id ${registrationJoin}`)
      const changes = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

      return OAuthRegistrationsRepo.of({
        insert: ({ realmId, id }, registration) => {
          const row = {
            realm_id: realmId,
            client_id: id,
            kind: registration.kind,
            token_digest: registration.tokenDigest,
            document_url: registration.documentUrl,
            document_expires_at: dateOrNull(registration.documentExpiresAt),
            unused_until: dateOrNull(registration.unusedUntil)
          }
          return sql`insert into oauth_registrations ${sql.insert(row)} on conflict do nothing returning 1 as one`.pipe(
            changes,
            Effect.orDie
          )
        },
        countUnused: (realmId, limit) =>
          sql`select 1 as one from oauth_registrations
            where realm_id = ${realmId} and unused_until is not null limit ${limit}`.pipe(
            Effect.map((rows) => rows.length),
            Effect.orDie
          ),
        findByToken: (realmId, id, digest) =>
          sql<OAuthClientRow>`${select} where c.realm_id = ${realmId} and c.id = ${id} and r.token_digest = ${digest}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : oauthClientOf(row))),
            Effect.orDie
          ),
        replaceToken: ({ realmId, id }, digest, next) =>
          sql`update oauth_registrations set token_digest = ${next}
            where realm_id = ${realmId} and client_id = ${id} and token_digest = ${digest} returning 1 as one`.pipe(
            changes,
            Effect.orDie
          ),
        findByDocument: (realmId, url) =>
          sql<DocumentRow>`${select} where c.realm_id = ${realmId} and r.realm_id = ${realmId} and r.document_url = ${url}`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : { client: oauthClientOf(row), expiresAt: utcOrNull(row.document_expires_at) }
            ),
            Effect.orDie
          ),
        updateDocument: ({ realmId, id }, expiresAt) =>
          sql`update oauth_registrations set document_expires_at = ${date(expiresAt)}
            where realm_id = ${realmId} and client_id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        recordUse: ({ id }) => ({
          realmLock: "key share",
          statement: (before) => sql`update oauth_registrations r set unused_until = null from ${before}
            where r.realm_id = before.realm_id and r.client_id = ${id}`,
          conflictIn: noConflict
        }),
        claimUnused: (now, limit) =>
          sql<{ readonly realm_id: RealmId; readonly id: AppId }>`with due as (
              select r.realm_id, r.client_id from oauth_registrations r
                join realms m on m.id = r.realm_id and m.deleted_at is null
                where r.unused_until <= ${date(now)} order by r.unused_until limit ${limit} for update of r skip locked
            )
            delete from login_policies a using due
              where a.realm_id = due.realm_id and a.id = due.client_id returning a.realm_id, a.id`.pipe(
            Effect.map((rows) => rows.map(({ realm_id: realmId, id }) => ({ realmId, id }))),
            Effect.orDie
          ),
        nextUnused: sql<{
          readonly at: Date | null
        }>`select min(unused_until) as at from oauth_registrations where unused_until is not null`.pipe(
          Effect.map(([row]) => utcOrNull(row?.at ?? null) ?? undefined),
          Effect.orDie
        )
      })
    })
  )
}
