import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AppId, RealmId, UserId } from "#domain/Ids"
import { date, utc } from "../statements/Rows.ts"

/** A client of a realm. */
export interface ClientKey {
  readonly realmId: RealmId
  readonly clientId: AppId
}

/** A client to notify that a user's session has ended. */
export interface LogoutNotice extends ClientKey {
  readonly sid: string
  readonly userId: UserId
  /** The number of attempts to send the notice, including the current one. */
  readonly attempts: number
  /** The client's back-channel logout URI, or null if the client no longer wants notices. */
  readonly uri: string | null
}

/** A client with notices to send, and when the first of them is due. */
export interface DueClient extends ClientKey {
  readonly dueAt: DateTime.Utc
}

interface Row {
  readonly realm_id: RealmId
  readonly client_id: AppId
  readonly sid: string
  readonly user_id: UserId
  readonly attempts: number
  readonly uri: string | null
}

const fromRow = (row: Row): LogoutNotice => ({
  realmId: row.realm_id,
  clientId: row.client_id,
  sid: row.sid,
  userId: row.user_id,
  attempts: row.attempts,
  uri: row.uri
})

/** The outbox for back-channel logout. The statements that end sessions write its rows (`LogoutNotices`). */
export class OAuthLogoutsRepo extends Context.Service<
  OAuthLogoutsRepo,
  {
    /** All clients with notices to send, whether due now or later. */
    readonly dueClients: Effect.Effect<ReadonlyArray<DueClient>>
    /**
     * Claims some of a client's due notices for an attempt by a node. If the attempt does not finish, they become due again
     * at `leaseEnd`, or earlier if the node dies (`NodesRepo`).
     */
    claim(
      nodeId: string,
      key: ClientKey,
      now: DateTime.Utc,
      leaseEnd: DateTime.Utc,
      limit: number
    ): Effect.Effect<ReadonlyArray<LogoutNotice>>
    /** Releases the notices that a node has claimed until `leaseEnd` but not attempted, as if they had never been claimed. */
    releaseClaims(nodeId: string, key: ClientKey, leaseEnd: DateTime.Utc, now: DateTime.Utc): Effect.Effect<void>
    /** Deletes a claimed notice. Returns false if it has been claimed again. */
    delete(claimed: LogoutNotice): Effect.Effect<boolean>
    /** Makes a notice due again at the given time and stores its number of attempts. */
    postpone(claimed: LogoutNotice, dueAt: DateTime.Utc, attempts: number): Effect.Effect<void>
  }
>()("sallyport/store/OAuthLogoutsRepo") {
  static readonly layer = Layer.effect(
    OAuthLogoutsRepo,
    Effect.map(SqlClient, (sql) => {
      const isClaimed = ({ clientId, sid, attempts }: LogoutNotice) =>
        sql`client_id = ${clientId} and sid = ${sid} and attempts = ${attempts}`

      return OAuthLogoutsRepo.of({
        // A loose index scan, which reads one entry per client no matter how many notices it has.
        dueClients: sql<{ readonly realm_id: RealmId; readonly client_id: AppId; readonly due_at: Date }>`
          with recursive c (realm_id, client_id, due_at) as (
            (select realm_id, client_id, due_at from oauth_logouts order by realm_id, client_id, due_at limit 1)
            union all
            select l.* from c cross join lateral (
              select realm_id, client_id, due_at from oauth_logouts
              where (realm_id, client_id) > (c.realm_id, c.client_id)
              order by realm_id, client_id, due_at limit 1) l
          ) select * from c`.pipe(
          Effect.map((rows) =>
            rows.map((row) => ({ realmId: row.realm_id, clientId: row.client_id, dueAt: utc(row.due_at) }))
          ),
          Effect.orDie
        ),
        claim: (nodeId, { realmId, clientId }, now, leaseEnd, limit) =>
          sql<Row>`with due as (
              select realm_id, client_id, sid from oauth_logouts
              where realm_id = ${realmId} and client_id = ${clientId} and due_at <= ${date(now)}
              order by due_at, sid limit ${limit} for update skip locked
            ) update oauth_logouts l set attempts = l.attempts + 1, due_at = ${date(leaseEnd)}, claimed_by = ${nodeId}
            from due join oauth_clients c on c.realm_id = due.realm_id and c.id = due.client_id
            where l.realm_id = due.realm_id and l.client_id = due.client_id and l.sid = due.sid
            returning l.*, c.backchannel_logout_uri as uri`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        releaseClaims: (nodeId, { realmId, clientId }, leaseEnd, now) =>
          sql`update oauth_logouts set attempts = attempts - 1, due_at = ${date(now)}, claimed_by = null
            where realm_id = ${realmId} and client_id = ${clientId} and due_at = ${date(leaseEnd)}
              and claimed_by = ${nodeId}`.pipe(Effect.asVoid, Effect.orDie),
        delete: (claimed) =>
          sql`delete from oauth_logouts where realm_id = ${claimed.realmId} and ${isClaimed(claimed)} returning 1 as one`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        postpone: (claimed, dueAt, attempts) =>
          sql`update oauth_logouts set due_at = ${date(dueAt)}, attempts = ${attempts}, claimed_by = null where realm_id = ${claimed.realmId} and ${isClaimed(claimed)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
