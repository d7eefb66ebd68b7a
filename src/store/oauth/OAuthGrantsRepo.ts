import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { GrantId, RealmId } from "#domain/Ids"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import { date, dateOrNull } from "../statements/Rows.ts"
import { type Guard, insertionInto, noConflict, type Write } from "../statements/Writes.ts"
import {
  type GrantWithUserRow,
  grantWithUserColumns,
  hasSession,
  type StoredGrant,
  storedGrantFromRow
} from "./GrantWithUser.ts"

/** The columns of a grant, without its realm. */
const toRow = (grant: OAuthGrant) => ({
  id: grant.id,
  client_id: grant.clientId,
  user_id: grant.userId,
  sid: grant.sid,
  scopes: grant.scopes,
  resources: grant.resources,
  org_id: grant.orgId,
  claims: grant.claims,
  jkt: grant.jkt,
  auth_methods: grant.authentication?.methods ?? [],
  authenticated_at: dateOrNull(grant.authentication?.at ?? null),
  created_at: date(grant.createdAt),
  last_used_at: date(grant.lastUsedAt),
  expires_at: date(grant.expiresAt),
  ended_at: dateOrNull(grant.endedAt)
})

/** Stores the grants of users to OAuth clients. */
export class OAuthGrantsRepo extends Context.Service<
  OAuthGrantsRepo,
  {
    /** A write that inserts a grant. */
    insertion(grant: OAuthGrant): Write
    /**
     * Finds a grant with the state that its tokens depend on. `tokenId` is an access token's `jti`. Returns undefined if
     * that token is revoked.
     */
    find(realmId: RealmId, id: GrantId, tokenId: string, now: DateTime.Utc): Effect.Effect<StoredGrant | undefined>
    /** A change that finds, locks and ends an active grant. */
    endOfGrant(
      grant: Pick<OAuthGrant, "realmId" | "id">,
      now: DateTime.Utc
    ): { readonly guard: Guard<{ readonly grant_id: GrantId }, GrantId>; readonly write: Write }
  }
>()("sallyport/store/OAuthGrantsRepo") {
  static readonly layer = Layer.effect(
    OAuthGrantsRepo,
    Effect.map(SqlClient, (sql) => {
      const columns = sql.literal(grantWithUserColumns)

      return OAuthGrantsRepo.of({
        insertion: (grant) => insertionInto(sql, "oauth_grants", [toRow(grant)]),
        find: (realmId, id, tokenId, now) =>
          sql<GrantWithUserRow>`select ${columns}, ${hasSession(sql, now)} from oauth_grants g
            join users u on u.realm_id = g.realm_id and u.id = g.user_id
            where g.realm_id = ${realmId} and g.id = ${id} and not exists (
              select from oauth_revoked_tokens r where r.realm_id = g.realm_id and r.id = ${tokenId})`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : storedGrantFromRow(row))),
            Effect.orDie
          ),
        endOfGrant: ({ realmId, id }, now) => ({
          guard: {
            select: sql<{ readonly grant_id: GrantId }>`select g.id as grant_id from oauth_grants g
              where g.realm_id = ${realmId} and g.id = ${id} and g.ended_at is null for update`,
            fromRow: (row) => row.grant_id
          },
          write: {
            realmLock: "key share",
            statement: (before) => sql`update oauth_grants g set ended_at = ${date(now)}::timestamptz from ${before}
              where g.realm_id = before.realm_id and g.id = ${id}`,
            conflictIn: noConflict
          }
        })
      })
    })
  )
}
