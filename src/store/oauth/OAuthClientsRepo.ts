import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isDocumentUrl } from "#domain/clients/ClientRegistration"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { AppId, RealmId } from "#domain/Ids"
import { batchedReads } from "../statements/BatchedReads.ts"
import { date, utcOrNull } from "../statements/Rows.ts"
import { shareMembers } from "../users/SharedMembers.ts"
import {
  clientChanges,
  type OAuthClientRow,
  oauthClientOf,
  oauthColumns,
  policyChanges,
  policyRow,
  registrationJoin
} from "./OAuthClientRows.ts"

/** A client and the SHA-256 digests of its valid secrets. */
export interface ClientWithSecrets {
  readonly client: OAuthClient
  readonly digests: ReadonlyArray<string>
  /** When the first of the secrets expires, or null if none does. */
  readonly validUntil: DateTime.Utc | null
}

/** A client to look up, and the time when its secrets must be valid. */
interface ClientLookup {
  readonly realmId: RealmId
  readonly clientId: string
  readonly now: DateTime.Utc
}

interface SecretsRow extends OAuthClientRow {
  readonly digests: ReadonlyArray<string>
  readonly good_until: Date | null
}

/** Stores OAuth clients (tables `login_policies`, `oauth_clients`, `oauth_client_secrets`). */
export class OAuthClientsRepo extends Context.Service<
  OAuthClientsRepo,
  {
    insert(client: OAuthClient): Effect.Effect<void>
    update(client: OAuthClient): Effect.Effect<void>
    delete(client: OAuthClient): Effect.Effect<void>
    findForUpdate(realmId: RealmId, id: AppId): Effect.Effect<OAuthClient | undefined>
    /** Finds an active client by its id or the URL of its metadata document. Includes its valid secrets. */
    findWithSecrets(realmId: RealmId, clientId: string, now: DateTime.Utc): Effect.Effect<ClientWithSecrets | undefined>
    /** Returns whether the realm has any clients. */
    hasAny(realmId: RealmId): Effect.Effect<boolean>
    /** Adds a secret. The previous secret stays valid until `previousUntil`, and older ones are deleted. */
    addSecret(client: OAuthClient, digest: string, now: DateTime.Utc, previousUntil: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/store/OAuthClientsRepo") {
  static readonly layer = Layer.effect(
    OAuthClientsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(`a.*, ${oauthColumns}`)
      const joined = sql.literal(
        `from oauth_clients c join login_policies a on a.realm_id = c.realm_id and a.id = c.id ${registrationJoin}`
      )
      const shared = shareMembers<OAuthClient>()
      const one = Effect.map((rows: ReadonlyArray<OAuthClientRow>) =>
        rows[0] === undefined ? undefined : oauthClientOf(rows[0])
      )

      const insert = Effect.fnUntraced(function* (client: OAuthClient) {
        yield* sql`insert into login_policies ${sql.insert(policyRow(client))}`
        const row = { realm_id: client.realmId, id: client.id, ...clientChanges(client) }
        yield* sql`insert into oauth_clients ${sql.insert(row)}`
      }, Effect.orDie)

      const update = Effect.fnUntraced(function* (client: OAuthClient) {
        const { realmId, id } = client
        yield* sql`update login_policies set ${sql.update(policyChanges(client))}
          where realm_id = ${realmId} and id = ${id}`
        yield* sql`update oauth_clients set ${sql.update(clientChanges(client))}
          where realm_id = ${realmId} and id = ${id}`
      }, Effect.orDie)

      /** Selects the active clients listed in the relation `w` (realm, id), each with the secrets valid at the given time. */
      const activeWithSecrets = (now: Fragment, wanted: Fragment) =>
        sql<SecretsRow>`select ${columns}, s.digests, s.good_until ${joined} ${wanted}
          cross join lateral (
            select coalesce(array_agg(digest), '{}') as digests, min(expires_at) as good_until from oauth_client_secrets
            where realm_id = c.realm_id and client_id = c.id and (expires_at is null or expires_at > ${now})
          ) s where c.realm_id = w.realm_id and a.state = 'active'`.pipe(
          Effect.map((rows) =>
            rows.map((row): ClientWithSecrets => {
              return { client: shared(oauthClientOf(row)), digests: row.digests, validUntil: utcOrNull(row.good_until) }
            })
          ),
          Effect.orDie
        )

      const findByDocument = ({ realmId, clientId, now }: ClientLookup) =>
        Effect.map(
          activeWithSecrets(
            sql`${date(now)}`,
            sql`join (select ${realmId}::text as realm_id, ${clientId}::text as document_url) w
              on w.realm_id = r.realm_id and w.document_url = r.document_url`
          ),
          ([found]) => found
        )

      const keyOf = (realmId: RealmId, id: string) => `${realmId} ${id}`
      const findById = batchedReads(sql, (wanted: ReadonlyArray<ClientLookup>) => {
        const [realmIds, ids] = [wanted.map(({ realmId }) => realmId), wanted.map(({ clientId }) => clientId)]
        const times = wanted.map(({ now }) => DateTime.formatIso(now))
        const found = activeWithSecrets(
          sql`w.now::timestamptz`,
          sql`join unnest(${realmIds}::text[], ${ids}::text[], ${times}::text[]) w (realm_id, id, now)
            on w.realm_id = c.realm_id and w.id = c.id`
        )
        return Effect.map(found, (all) => {
          const clients = new Map(all.map((one) => [keyOf(one.client.realmId, one.client.id), one]))
          return ({ realmId, clientId }: ClientLookup) => clients.get(keyOf(realmId, clientId))
        })
      })

      const findWithSecrets = (realmId: RealmId, clientId: string, now: DateTime.Utc) =>
        (isDocumentUrl(clientId) ? findByDocument : findById)({ realmId, clientId, now })

      const addSecret = Effect.fnUntraced(function* (
        { realmId, id }: OAuthClient,
        digest: string,
        now: DateTime.Utc,
        previousUntil: DateTime.Utc
      ) {
        yield* sql`delete from oauth_client_secrets
          where realm_id = ${realmId} and client_id = ${id} and expires_at is not null`
        yield* sql`update oauth_client_secrets set expires_at = ${date(previousUntil)}
          where realm_id = ${realmId} and client_id = ${id}`
        const row = { realm_id: realmId, client_id: id, digest, created_at: date(now), expires_at: null }
        yield* sql`insert into oauth_client_secrets ${sql.insert(row)}`
      }, Effect.orDie)

      return OAuthClientsRepo.of({
        insert,
        update,
        delete: ({ realmId, id }) =>
          sql`delete from login_policies where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        findForUpdate: (realmId, id) =>
          sql<OAuthClientRow>`select ${columns} ${joined} where c.realm_id = ${realmId} and c.id = ${id}
            for update of a`.pipe(one, Effect.orDie),
        findWithSecrets,
        hasAny: (realmId) =>
          sql`select 1 as found from oauth_clients where realm_id = ${realmId} limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        addSecret
      })
    })
  )
}
