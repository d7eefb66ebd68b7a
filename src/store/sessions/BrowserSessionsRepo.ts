import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Authentication } from "#domain/Authentication"
import type { AppId, OrgId, RealmId, SessionId, UserId } from "#domain/Ids"
import type { SignupNotice } from "#domain/SignupNotice"
import { logoutNotices } from "../oauth/LogoutNotices.ts"
import { date, dateOrNull, utc } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"
import { type AuthenticationColumns, authenticationFromRow } from "../users/AuthenticationColumns.ts"

/** A user's session in one browser, on the host of one app. `id` is the digest of the secret in the cookie. */
export interface BrowserSession {
  readonly id: string
  readonly realmId: RealmId
  readonly appId: AppId
  readonly userId: UserId
  /** Null if the realm's sessions are unmanaged. */
  readonly sessionId: SessionId | null
  /** The id of the session, even if sessions are unmanaged. It stays the same when the same user logs in again in this browser. */
  readonly sid: SessionId
  /** The org that the user last chose in this browser, or null if none. */
  readonly orgId: OrgId | null
  /** How the user logged in, if sessions are unmanaged. Null if the session stores it or if nobody authenticated the user. */
  readonly authentication: Authentication | null
  readonly createdAt: DateTime.Utc
  /** When the user last proved their identity in this browser. */
  readonly provedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  readonly signupNotice: SignupNotice
}

interface Row extends AuthenticationColumns {
  readonly id: string
  readonly realm_id: RealmId
  readonly login_policy_id: AppId
  readonly user_id: UserId
  readonly session_id: SessionId | null
  readonly sid: SessionId
  readonly org_id: OrgId | null
  readonly created_at: Date
  readonly proved_at: Date | null
  readonly expires_at: Date
  readonly signup_notice: SignupNotice
}

const fromRow = (row: Row): BrowserSession => ({
  id: row.id,
  realmId: row.realm_id,
  appId: row.login_policy_id,
  userId: row.user_id,
  sessionId: row.session_id,
  sid: row.sid,
  orgId: row.org_id,
  authentication: authenticationFromRow(row),
  createdAt: utc(row.created_at),
  provedAt: utc(row.proved_at ?? row.created_at),
  expiresAt: utc(row.expires_at),
  signupNotice: row.signup_notice
})

/** Stores browser sessions. A row is deleted together with its session, user or app. */
export class BrowserSessionsRepo extends Context.Service<
  BrowserSessionsRepo,
  {
    /**
     * A write that inserts a browser session. It does nothing if the app, user or session no longer exists, or if the
     * user's sessions were ended after `loggedInAt`.
     */
    insertion(session: BrowserSession, loggedInAt: DateTime.Utc): Write
    /** Finds an app's unexpired browser session. */
    find(realmId: RealmId, appId: AppId, id: string, now: DateTime.Utc): Effect.Effect<BrowserSession | undefined>
    /** Returns whether a browser session still exists. */
    exists(realmId: RealmId, id: string): Effect.Effect<boolean>
    /** Records that the user has just proved their identity. */
    prove(realmId: RealmId, id: string, at: DateTime.Utc): Effect.Effect<void>
    /** Stores the org that the user has just chosen. */
    chooseOrg(realmId: RealmId, id: string, orgId: OrgId): Effect.Effect<void>
    /** Stores the signup notice that the app has not received yet. */
    setSignupNotice(realmId: RealmId, id: string, notice: SignupNotice): Effect.Effect<void>
    delete(realmId: RealmId, id: string): Effect.Effect<void>
    /**
     * Deletes a browser session that is not linked to a stored session, and ends the grants that last only as long as it.
     * Returns whether OAuth clients must be notified by back-channel logout.
     */
    end(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/BrowserSessionsRepo") {
  static readonly layer = Layer.effect(
    BrowserSessionsRepo,
    Effect.map(SqlClient, (sql) =>
      BrowserSessionsRepo.of({
        insertion: (session, loggedInAt) => ({
          realmLock: "key share",
          statement: (before) => sql`insert into browser_sessions
            (realm_id, id, login_policy_id, user_id, session_id, sid, org_id, created_at, proved_at, expires_at,
              signup_notice, auth_methods, authenticated_at)
            select a.realm_id, ${session.id}, a.id, u.id, ${session.sessionId}, ${session.sid}, ${session.orgId},
              ${date(session.createdAt)}::timestamptz, ${date(session.provedAt)}::timestamptz,
              ${date(session.expiresAt)}::timestamptz, ${session.signupNotice},
              ${session.authentication?.methods ?? []}::text[], ${dateOrNull(session.authentication?.at ?? null)}::timestamptz
            from ${before}, login_policies a
              join users u on u.realm_id = a.realm_id and u.id = ${session.userId} and u.state = 'active'
            where a.realm_id = before.realm_id and a.id = ${session.appId} and (${session.sessionId}::text is null or exists (select from sessions s
                where s.realm_id = a.realm_id and s.id = ${session.sessionId} for key share))
              and (${session.sessionId}::text is not null or u.sessions_ended_at is null
                or u.sessions_ended_at <= ${date(loggedInAt)})
            for key share of a, u`,
          conflictIn: noConflict
        }),
        find: (realmId, appId, id, now) =>
          sql<Row>`select * from browser_sessions where realm_id = ${realmId} and id = ${id}
            and login_policy_id = ${appId} and expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        exists: (realmId, id) =>
          sql`select 1 as one from browser_sessions where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        prove: (realmId, id, at) =>
          sql`update browser_sessions set proved_at = ${date(at)} where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        chooseOrg: (realmId, id, orgId) =>
          sql`update browser_sessions set org_id = ${orgId} where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        setSignupNotice: (realmId, id, notice) =>
          sql`update browser_sessions set signup_notice = ${notice} where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        end: (realmId, id, now) =>
          sql<{ readonly has_notices: boolean }>`with gone as (delete from browser_sessions
              where realm_id = ${realmId} and id = ${id} and expires_at > ${date(now)} returning sid
            )${logoutNotices(sql, now, {
              realmId,
              from: sql.literal("gone,"),
              isConcerned: sql.literal("g.sid = gone.sid")
            })} select exists (select from notices) as has_notices`.pipe(
            Effect.map(([row]) => row?.has_notices === true),
            Effect.orDie
          ),
        delete: (realmId, id) =>
          sql`delete from browser_sessions where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie)
      })
    )
  )
}
