import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { grantEndingReasons } from "#domain/AccountAccess"
import type { OrgId, RealmId, SessionId, UserId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import type { Session, SessionEnd } from "#domain/Session"
import type { User } from "#domain/User"
import { logoutNotices } from "../oauth/LogoutNotices.ts"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"
import { type AuthenticationColumns, authenticationFromRow } from "../users/AuthenticationColumns.ts"
import { type UserRow, userColumns, userFromRow } from "../users/UsersRepo.ts"

/** The filters for lists of sessions. `from` is the first id that a pending reset does not delete. */
export interface SessionFilter {
  readonly userId: string | undefined
  readonly from: string | undefined
}

/** The sessions that were ended. `needsBackchannelLogout` is whether OAuth clients must be notified. */
export interface EndedSessions {
  readonly ids: ReadonlyArray<SessionId>
  readonly needsBackchannelLogout: boolean
}

interface Row extends AuthenticationColumns {
  readonly id: SessionId
  readonly realm_id: RealmId
  readonly user_id: UserId
  readonly client_app_id: string | null
  readonly org_id: OrgId | null
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly last_seen_at: Date | null
  readonly created_at: Date
  readonly expires_at: Date
}

interface EndedRow {
  readonly ids: ReadonlyArray<SessionId>
  readonly has_notices: boolean
}

const fromRow = (row: Row): Session => ({
  id: row.id,
  realmId: row.realm_id,
  userId: row.user_id,
  appId: row.client_app_id,
  orgId: row.org_id,
  requestIp: row.request_ip,
  requestClient: row.request_client,
  authentication: authenticationFromRow(row),
  lastSeenAt: utcOrNull(row.last_seen_at),
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

/** Stores managed sessions. No query returns an expired one (C33). */
export class SessionsRepo extends Context.Service<
  SessionsRepo,
  {
    /** A write that inserts a session. The user must be active and already locked. */
    insertion(session: Session): Write
    /**
     * A write that stores the methods with which the session's user has logged in again. It does nothing if the session has
     * ended.
     */
    renewal(session: Session): Write
    /** Inserts a session. Returns false if its user no longer exists or is not active. */
    insert(session: Session): Effect.Effect<boolean>
    /**
     * Inserts a session for an active human, and returns the user in the same statement whether or not it was inserted.
     * Returns undefined if there is no such user.
     */
    insertForUser(session: Session): Effect.Effect<{ readonly user: User; readonly isStored: boolean } | undefined>
    find(realmId: RealmId, id: SessionId, now: DateTime.Utc): Effect.Effect<Session | undefined>
    /** Finds a session with its user, who may be inactive. */
    findWithUser(
      realmId: RealmId,
      id: SessionId,
      now: DateTime.Utc
    ): Effect.Effect<{ readonly session: Session; readonly user: User } | undefined>
    /** Returns one more row than fits on the page. */
    list(
      realmId: RealmId,
      filter: SessionFilter,
      now: DateTime.Utc,
      page: PageOf<"id">
    ): Effect.Effect<ReadonlyArray<Session>>
    /** Stores the org to be named in the session's tokens from now on. */
    chooseOrg(realmId: RealmId, id: SessionId, orgId: OrgId): Effect.Effect<void>
    /** Stores the time of a check of the session, unless a later one is already stored. */
    recordCheck(realmId: RealmId, id: SessionId, at: DateTime.Utc): Effect.Effect<void>
    /**
     * Deletes a session, and ends the grants that last only as long as it. Returns its user, or undefined if there was no
     * unexpired session.
     */
    delete(
      realmId: RealmId,
      id: SessionId,
      now: DateTime.Utc
    ): Effect.Effect<{ readonly userId: UserId; readonly needsBackchannelLogout: boolean } | undefined>
    /**
     * Deletes all of a user's sessions except one, along with their browser sessions, and ends the grants that must end for
     * this reason. Codes and approved devices are also deleted, because they would become grants. Returns the deleted
     * sessions that had not expired.
     */
    deleteOfUser(
      realmId: RealmId,
      userId: UserId,
      now: DateTime.Utc,
      reason: SessionEnd,
      but?: SessionId
    ): Effect.Effect<EndedSessions>
  }
>()("sallyport/store/SessionsRepo") {
  static readonly layer = Layer.effect(
    SessionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = (realmId: RealmId, { userId, from }: SessionFilter, now: DateTime.Utc, page: PageOf<"id">) => {
        const conditions = [sql`realm_id = ${realmId}`, sql`expires_at > ${date(now)}`]
        if (userId !== undefined) conditions.push(sql`user_id = ${userId}`)
        if (from !== undefined) conditions.push(sql`id >= ${from}`)
        return sql<Row>`select * from sessions ${keysetPage(sql, conditions, page)}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      const withUser = sql.literal(`select ${userColumns}, s.client_app_id, s.org_id, s.request_ip,
        s.request_client, s.auth_methods, s.authenticated_at, s.last_seen_at, s.created_at as session_created_at, s.expires_at as session_expires_at
        from sessions s join users u on u.realm_id = s.realm_id and u.id = s.user_id`)

      /** The statement ends with `from`. A table with the realm's id must follow. */
      const insertFrom = (session: Session, table: "u" | "before") => sql`insert into sessions
        (realm_id, id, user_id, client_app_id, request_ip, request_client, auth_methods, authenticated_at, created_at,
          expires_at)
        select ${sql.literal(table)}.realm_id, ${session.id}, ${session.userId}, ${session.appId},
          ${session.requestIp}, ${session.requestClient}, ${session.authentication?.methods ?? []}::text[],
          ${dateOrNull(session.authentication?.at ?? null)}::timestamptz, ${date(session.createdAt)}::timestamptz,
          ${dateOrNull(session.expiresAt)}::timestamptz from`

      return SessionsRepo.of({
        insertion: (session) => ({
          realmLock: "key share",
          statement: (before) => sql`${insertFrom(session, "before")} ${before}`,
          conflictIn: noConflict
        }),
        renewal: ({ id, userId, authentication }) => ({
          realmLock: "key share",
          statement: (before) => sql`update sessions s set auth_methods = ${authentication?.methods ?? []}::text[],
              authenticated_at = ${dateOrNull(authentication?.at ?? null)}::timestamptz from ${before}
            where s.realm_id = before.realm_id and s.id = ${id} and s.user_id = ${userId}`,
          conflictIn: noConflict
        }),
        // Both statements lock the user and the realm, so that a concurrent deactivation also ends this session.
        insert: (session) =>
          sql`${insertFrom(session, "u")} users u join realms r on r.id = u.realm_id and r.deleted_at is null
            where u.realm_id = ${session.realmId} and u.id = ${session.userId} and u.state = 'active'
            for key share returning id`.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        insertForUser: (session) =>
          sql<UserRow & { readonly is_stored: boolean }>`with u as (
              select ${sql.literal(userColumns)} from users u
              where u.realm_id = ${session.realmId} and u.id = ${session.userId} for key share
            ), stored as (
              ${insertFrom(session, "u")} u join realms r on r.id = u.realm_id and r.deleted_at is null
              where u.user_type = 'human' and u.state = 'active' for key share of r returning id
            ) select u.*, exists (select from stored) as is_stored from u`.pipe(
            Effect.map(([row]) =>
              row === undefined ? undefined : { user: userFromRow(row), isStored: row.is_stored }
            ),
            Effect.orDie
          ),
        find: (realmId, id, now) =>
          sql<Row>`select * from sessions where realm_id = ${realmId} and id = ${id} and expires_at > ${date(now)}`.pipe(
            Effect.map((rows) => (rows[0] === undefined ? undefined : fromRow(rows[0]))),
            Effect.orDie
          ),
        findWithUser: (realmId, id, now) =>
          sql<
            UserRow &
              Pick<Row, "client_app_id" | "org_id" | "request_ip" | "request_client" | "last_seen_at"> &
              AuthenticationColumns & {
                readonly session_created_at: Date
                readonly session_expires_at: Date
              }
          >`${withUser} where s.realm_id = ${realmId} and s.id = ${id} and s.expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : {
                    user: userFromRow(row),
                    session: fromRow({
                      id,
                      realm_id: row.realm_id,
                      user_id: row.id,
                      client_app_id: row.client_app_id,
                      org_id: row.org_id,
                      request_ip: row.request_ip,
                      request_client: row.request_client,
                      auth_methods: row.auth_methods,
                      authenticated_at: row.authenticated_at,
                      last_seen_at: row.last_seen_at,
                      created_at: row.session_created_at,
                      expires_at: row.session_expires_at
                    })
                  }
            ),
            Effect.orDie
          ),
        list,
        chooseOrg: (realmId, id, orgId) =>
          sql`update sessions set org_id = ${orgId} where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        recordCheck: (realmId, id, at) =>
          sql`update sessions set last_seen_at = ${date(at)} where realm_id = ${realmId} and id = ${id}
            and (last_seen_at is null or last_seen_at < ${date(at)})`.pipe(Effect.asVoid, Effect.orDie),
        delete: (realmId, id, now) =>
          sql<{ readonly user_id: UserId; readonly has_notices: boolean }>`with gone as (delete from sessions
              where realm_id = ${realmId} and id = ${id} and expires_at > ${date(now)} returning id, user_id
            )${logoutNotices(sql, now, {
              realmId,
              from: sql.literal("gone,"),
              isConcerned: sql.literal("g.sid = gone.id")
            })} select user_id, exists (select from notices) as has_notices from gone`.pipe(
            Effect.map(([row]) =>
              row === undefined ? undefined : { userId: row.user_id, needsBackchannelLogout: row.has_notices }
            ),
            Effect.orDie
          ),
        deleteOfUser: (realmId, userId, now, reason, but) => {
          const endsAll = grantEndingReasons.has(reason)
          const isConcerned = sql`g.user_id = ${userId}
            and (${but ?? null}::text is null or g.sid is distinct from ${but ?? null})
            and (${endsAll}::boolean or exists (select from gone where gone.realm_id = g.realm_id and gone.id = g.sid))`
          const ends = endsAll ? sql.literal("true") : undefined
          return sql<EndedRow>`with browsers as (delete from browser_sessions
              where realm_id = ${realmId} and user_id = ${userId} and session_id is null
            ), ended as (update users set sessions_ended_at = ${date(now)} where realm_id = ${realmId} and id = ${userId}
            ), devices as (delete from oauth_devices
              where realm_id = ${realmId} and user_id = ${userId} and ${endsAll}::boolean
            ), codes as (delete from oauth_codes where realm_id = ${realmId} and user_id = ${userId} and used_at is null
              and sid is distinct from ${but ?? null} and ${endsAll}::boolean
            ), gone as (delete from sessions where realm_id = ${realmId} and user_id = ${userId}
              and id is distinct from ${but ?? null} returning realm_id, id, expires_at
            )${logoutNotices(sql, now, { realmId, isConcerned, ends })}
            select array(select id from gone where realm_id = ${realmId} and expires_at > ${date(now)} order by id) as ids,
              exists (select from notices) as has_notices`.pipe(
            Effect.map(([row]) => ({ ids: row?.ids ?? [], needsBackchannelLogout: row?.has_notices === true })),
            Effect.orDie
          )
        }
      })
    })
  )
}
