import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { REFRESH_GRACE_SECONDS, type RefreshToken } from "#domain/oauth/OAuthToken"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { insertionInto, type Write } from "../statements/Writes.ts"
import {
  type GrantWithUserRow,
  grantWithUserColumns,
  hasSession,
  type StoredGrant,
  storedGrantFromRow
} from "./GrantWithUser.ts"

interface TokenColumns {
  readonly token_created_at: Date
  readonly token_expires_at: Date
  readonly used_at: Date | null
  readonly salt: string | null
}

/** A refresh token with its grant. */
export interface StoredRefreshToken extends StoredGrant {
  readonly token: RefreshToken
}

/** Stores refresh tokens. */
export class OAuthRefreshTokensRepo extends Context.Service<
  OAuthRefreshTokensRepo,
  {
    /** A write that inserts the first refresh token of a grant. */
    insertion(token: RefreshToken): Write
    /** Finds a refresh token, even if it is used or expired, with its grant. */
    find(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<StoredRefreshToken | undefined>
    /**
     * Replaces an unused token with its successor if their grant has not ended. Returns true for only one caller. Also
     * deletes salts of the grant that are no longer needed.
     */
    rotate(used: RefreshToken, salt: string, successor: RefreshToken, now: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/OAuthRefreshTokensRepo") {
  static readonly layer = Layer.effect(
    OAuthRefreshTokensRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(`${grantWithUserColumns}, t.created_at as token_created_at,
        t.expires_at as token_expires_at, t.used_at, t.salt`)

      return OAuthRefreshTokensRepo.of({
        insertion: (token) =>
          insertionInto(sql, "oauth_refresh_tokens", [
            {
              id: token.id,
              grant_id: token.grantId,
              created_at: date(token.createdAt),
              expires_at: date(token.expiresAt)
            }
          ]),
        find: (realmId, id, now) =>
          sql<GrantWithUserRow & TokenColumns>`select ${columns}, ${hasSession(sql, now)} from oauth_refresh_tokens t
            join oauth_grants g on g.realm_id = t.realm_id and g.id = t.grant_id
            join users u on u.realm_id = g.realm_id and u.id = g.user_id
            where t.realm_id = ${realmId} and t.id = ${id}`.pipe(
            Effect.map(([row]) => {
              if (row === undefined) return undefined
              const token: RefreshToken = {
                id,
                realmId,
                grantId: row.grant_id,
                createdAt: utc(row.token_created_at),
                expiresAt: utc(row.token_expires_at),
                usedAt: utcOrNull(row.used_at),
                salt: row.salt
              }
              return { ...storedGrantFromRow(row), token }
            }),
            Effect.orDie
          ),
        // Locks the grant first, as all operations that end a grant do.
        rotate: ({ realmId, id, grantId }, salt, successor, now) =>
          sql`with g as (
                select realm_id, id from oauth_grants
                where realm_id = ${realmId} and id = ${grantId} and ended_at is null for update
              ), used as (
                update oauth_refresh_tokens t set used_at = ${date(now)}, salt = ${salt} from g
                where t.realm_id = g.realm_id and t.grant_id = g.id and t.id = ${id} and t.used_at is null
                  and t.expires_at > ${date(now)} returning t.realm_id, t.grant_id
              ), last_use as (
                update oauth_grants o set last_used_at = ${date(now)}, expires_at = ${date(successor.expiresAt)} from used
                where o.realm_id = used.realm_id and o.id = used.grant_id returning 1
              ), forgotten as (
                update oauth_refresh_tokens t set salt = null from used
                where t.realm_id = used.realm_id and t.grant_id = used.grant_id and t.salt is not null
                  and t.used_at < ${date(DateTime.subtract(now, { seconds: REFRESH_GRACE_SECONDS }))} returning 1
              )
              insert into oauth_refresh_tokens (realm_id, id, grant_id, created_at, expires_at)
              select used.realm_id, ${successor.id}, used.grant_id, ${date(successor.createdAt)}::timestamptz,
                ${date(successor.expiresAt)}::timestamptz from used returning 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}
