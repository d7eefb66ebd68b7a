import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import type { OAuthCode } from "#domain/oauth/OAuthCode"
import type { User } from "#domain/User"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { type Guard, noConflict, type Write } from "../statements/Writes.ts"
import { type AuthenticationColumns, authenticationFromRow } from "../users/AuthenticationColumns.ts"
import { type UserRow, userColumns, userFromRow } from "../users/UsersRepo.ts"
import { hasSession } from "./GrantWithUser.ts"

/** A code with its user. `hasSession` is whether the session that issued it is still active. */
export interface CodeWithUser {
  readonly code: OAuthCode
  readonly user: User
  readonly hasSession: boolean
}

interface CodeRow extends AuthenticationColumns, Omit<UserRow, "id"> {
  readonly code_id: string
  readonly client_id: OAuthCode["clientId"]
  readonly user_id: OAuthCode["userId"]
  readonly grant_id: OAuthCode["grantId"]
  readonly redirect_uri: string
  readonly code_challenge: string | null
  readonly nonce: string | null
  readonly sid: string
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly org_id: OAuthCode["orgId"]
  readonly claims: string | null
  readonly jkt: string | null
  readonly issued_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
  readonly has_session: boolean
}

/** The columns of `CodeRow` except the last. The table of codes is named `g`, because `hasSession` expects that name. */
const columns = `g.id as code_id, g.client_id, g.user_id, g.grant_id, g.redirect_uri, g.code_challenge, g.nonce, g.sid, g.scopes,
  g.resources, g.org_id, g.claims, g.jkt, g.auth_methods, g.authenticated_at, g.created_at as issued_at, g.expires_at, g.used_at,
  ${userColumns.replace("u.id, ", "")}`

const fromRow = (row: CodeRow): CodeWithUser => ({
  user: userFromRow({ ...row, id: row.user_id }),
  hasSession: row.has_session,
  code: {
    id: row.code_id,
    realmId: row.realm_id,
    clientId: row.client_id,
    userId: row.user_id,
    grantId: row.grant_id,
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    nonce: row.nonce,
    sid: row.sid,
    scopes: row.scopes,
    resources: row.resources,
    orgId: row.org_id,
    claims: row.claims,
    jkt: row.jkt,
    authentication: authenticationFromRow(row),
    createdAt: utc(row.issued_at),
    expiresAt: utc(row.expires_at),
    usedAt: utcOrNull(row.used_at)
  }
})

/** Stores authorization codes. A row is deleted together with its user or client. */
export class OAuthCodesRepo extends Context.Service<
  OAuthCodesRepo,
  {
    /** Inserts a code. Returns false if its user or client no longer exists or is not active. */
    insert(code: OAuthCode): Effect.Effect<boolean>
    /** Finds a code, even if it is used or expired, with its user and whether its session is still active. */
    findWithUser(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<CodeWithUser | undefined>
    /** The guard that locks an active user's unused code, and the write that marks the code as used. */
    consumption(
      code: Pick<OAuthCode, "realmId" | "id">,
      now: DateTime.Utc
    ): { readonly guard: Guard<{ readonly code_id: string }, string>; readonly write: Write }
    /** Deletes the unused codes issued to a client for a user. */
    deleteOfClient(
      realmId: OAuthCode["realmId"],
      userId: OAuthCode["userId"],
      clientId: OAuthCode["clientId"]
    ): Effect.Effect<void>
  }
>()("sallyport/store/OAuthCodesRepo") {
  static readonly layer = Layer.effect(
    OAuthCodesRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthCodesRepo.of({
        findWithUser: (realmId, id, now) =>
          sql<CodeRow>`select ${sql.literal(columns)}, ${hasSession(sql, now)} from oauth_codes g
            join users u on u.realm_id = g.realm_id and u.id = g.user_id
            where g.realm_id = ${realmId} and g.id = ${id}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        consumption: ({ realmId, id }, now) => ({
          guard: {
            // Locks the user first. So do all operations that revoke a user's approvals, which can then delete the code
            // (SEC-188).
            select: sql<{ readonly code_id: string }>`select c.id as code_id from oauth_codes c
              join users u on u.realm_id = c.realm_id and u.id = c.user_id and u.state = 'active'
              where c.realm_id = ${realmId} and c.id = ${id} and c.used_at is null for share of u for update of c`,
            fromRow: (row) => row.code_id
          },
          write: {
            realmLock: "key share",
            statement: (before) => sql`update oauth_codes c set used_at = ${date(now)}::timestamptz from ${before}
              where c.realm_id = before.realm_id and c.id = ${id}`,
            conflictIn: noConflict
          }
        }),
        deleteOfClient: (realmId, userId, clientId) =>
          sql`delete from oauth_codes
            where realm_id = ${realmId} and user_id = ${userId} and client_id = ${clientId} and used_at is null`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        insert: (code) =>
          sql`insert into oauth_codes (realm_id, id, client_id, user_id, grant_id, redirect_uri, code_challenge, nonce, sid,
              scopes, resources, org_id, claims, jkt, auth_methods, authenticated_at, created_at, expires_at)
            select a.realm_id, ${code.id}, a.id, u.id, ${code.grantId}, ${code.redirectUri}, ${code.codeChallenge},
              ${code.nonce}, ${code.sid}, ${code.scopes}::text[], ${code.resources}::text[], ${code.orgId}, ${code.claims},
              ${code.jkt}, ${code.authentication?.methods ?? []}::text[],
              ${dateOrNull(code.authentication?.at ?? null)}::timestamptz, ${date(code.createdAt)}, ${date(code.expiresAt)}
            from login_policies a join users u on u.realm_id = a.realm_id and u.id = ${code.userId} and u.state = 'active'
            where a.realm_id = ${code.realmId} and a.id = ${code.clientId} and a.state = 'active'
            for key share returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    )
  )
}
