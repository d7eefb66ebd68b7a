import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { EventActor } from "#domain/EventActor"
import type { OrgId, RealmId } from "#domain/Ids"
import { storedActor, storedActorType } from "../events/EventRows.ts"
import { date, utc } from "../statements/Rows.ts"

/** A deleted org whose memberships are still being deleted, and the actor who deleted it. */
export interface OrgDeletion {
  readonly realmId: RealmId
  readonly orgId: OrgId
  readonly actor: EventActor
  readonly requestIp: string | null
  readonly requestClient: string | null
}

/** Stores the deletion of orgs that have too many members for one transaction. */
export class OrgDeletionsRepo extends Context.Service<
  OrgDeletionsRepo,
  {
    /** Hides an org from all queries. A job will delete its members. */
    insert(deletion: OrgDeletion, at: DateTime.Utc): Effect.Effect<void>
    /** The next deletion that no other node has locked. Its org gets locked too. Skips deleted realms. */
    readonly claim: Effect.Effect<OrgDeletion | undefined>
    /** Moves a deletion to the end of the queue. */
    endTurn(deletion: OrgDeletion): Effect.Effect<void>
    /** When the oldest deletion was requested. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/OrgDeletionsRepo") {
  static readonly layer = Layer.effect(
    OrgDeletionsRepo,
    Effect.map(SqlClient, (sql) =>
      OrgDeletionsRepo.of({
        insert: ({ realmId, orgId, actor, requestIp, requestClient }, at) =>
          sql`with hidden as (update orgs set deleted_at = ${date(at)} where realm_id = ${realmId} and id = ${orgId})
            insert into org_deletions
              (realm_id, org_id, requested_at, actor_type, actor_id, actor_email, request_ip, request_client)
            values (${realmId}, ${orgId}, ${date(at)}, ${storedActorType(actor)}, ${actor.id}, ${actor.email ?? null}, ${requestIp},
              ${requestClient})`.pipe(Effect.asVoid, Effect.orDie),
        // Locks the org before its memberships. Resets do the same, so the two can't deadlock.
        claim: sql<{
          readonly realm_id: RealmId
          readonly org_id: OrgId
          readonly actor_type: ReturnType<typeof storedActorType>
          readonly actor_id: string | null
          readonly actor_email: string | null
          readonly request_ip: string | null
          readonly request_client: string | null
        }>`select d.realm_id, d.org_id, d.actor_type, d.actor_id, d.actor_email, d.request_ip, d.request_client
            from org_deletions d
            join orgs o on o.realm_id = d.realm_id and o.id = d.org_id
            join realms r on r.id = d.realm_id and r.deleted_at is null
            order by d.turn, d.requested_at, d.realm_id, d.org_id limit 1 for update of d, o skip locked`.pipe(
          Effect.map(([row]) =>
            row === undefined
              ? undefined
              : {
                  realmId: row.realm_id,
                  orgId: row.org_id,
                  actor: storedActor(row),
                  requestIp: row.request_ip,
                  requestClient: row.request_client
                }
          ),
          Effect.orDie
        ),
        endTurn: ({ realmId, orgId }) =>
          sql`update org_deletions set turn = (select max(turn) + 1 from org_deletions)
            where realm_id = ${realmId} and org_id = ${orgId}`.pipe(Effect.asVoid, Effect.orDie),
        nextDue: sql<{ readonly requested_at: Date }>`select d.requested_at from org_deletions d
          join realms r on r.id = d.realm_id and r.deleted_at is null order by d.requested_at limit 1`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : utc(row.requested_at))),
          Effect.orDie
        )
      })
    )
  )
}
