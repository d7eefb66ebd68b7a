import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { batchedReads } from "../statements/BatchedReads.ts"

/** A reader's position. The reader has seen all transactions with numbers less than `below` since the server was started. */
export interface ChangesCursor {
  readonly below: bigint
  readonly server: string
}

/** The realms that have changed since a cursor. If `realms` is undefined, any realm may have changed. */
export interface ChangedRealms {
  readonly cursor: ChangesCursor
  readonly realms: ReadonlySet<string> | undefined
}

/** The number of changes to store. A process that has missed more must clear its caches. */
const MAX_CHANGES = 1_000

/** Stored instead of a realm id to mark that older changes have been deleted. */
const TRUNCATED = ""

/**
 * Reads which realms have changed (table `realm_changes`). Triggers write the table, so that no writer can forget it
 * (ADR-0022).
 */
export class RealmChangesRepo extends Context.Service<
  RealmChangesRepo,
  {
    /**
     * Returns the realms changed by transactions that ended after the cursor was read, and possibly by some earlier ones.
     * Concurrent calls share one statement. `cursor` is undefined in the first call.
     */
    since(cursor: ChangesCursor | undefined): Effect.Effect<ChangedRealms>
    /** Deletes up to `limit` of the changes beyond the maximum. Returns the number of deleted changes. */
    deleteSome(limit: number): Effect.Effect<number>
  }
>()("sallyport/store/RealmChangesRepo") {
  static readonly layer = Layer.effect(
    RealmChangesRepo,
    Effect.map(SqlClient, (sql) => {
      // PostgreSQL numbers transactions when they first write, but they can end in any order. The next cursor is therefore
      // the oldest transaction still running. After a failover, the new primary may reuse numbers of the old one, so the
      // cursor includes the server's start time.
      const read = (cursors: ReadonlyArray<ChangesCursor | undefined>) => {
        const from = cursors.map((cursor) => cursor?.below ?? 0n).reduce((one, other) => (other < one ? other : one))
        return sql<{
          readonly below: string
          readonly server: string
          readonly realms: ReadonlyArray<RealmId | typeof TRUNCATED>
        }>`
          select pg_snapshot_xmin(pg_current_snapshot())::text as below, pg_postmaster_start_time()::text as server,
            array(select distinct realm_id from realm_changes where xid >= ${String(from)}::text::xid8) as realms`.pipe(
          Effect.map(([row]): ChangedRealms => {
            const next = { below: BigInt(row?.below ?? 0), server: row?.server ?? "" }
            const realms = new Set<string>(row?.realms)
            // A database with fewer transactions than before is a different database.
            const isSame = (cursor: ChangesCursor | undefined) =>
              cursor !== undefined && cursor.server === next.server && cursor.below <= next.below
            return { cursor: next, realms: cursors.every(isSame) && !realms.has(TRUNCATED) ? realms : undefined }
          }),
          Effect.orDie
        )
      }

      // If a row's transaction has not begun on this server, the row came from another server's backup.
      const deleteForeign = sql`delete from realm_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`

      return RealmChangesRepo.of({
        since: batchedReads(sql, (cursors: ReadonlyArray<ChangesCursor | undefined>) =>
          Effect.map(read(cursors), (changed) => () => changed)
        ),
        deleteSome: (limit) =>
          sql`with old as materialized (
              select xid, realm_id from realm_changes
              where xid < (select xid from realm_changes order by xid desc offset ${MAX_CHANGES - 1} limit 1)
              order by xid limit ${limit} for update skip locked
            ), last as (
              select xid from old order by xid desc limit 1
            ), marker as (
              insert into realm_changes (xid, realm_id)
              select xid, ${TRUNCATED} from last where exists (select from old where realm_id <> ${TRUNCATED}) on conflict do nothing
            )
            delete from realm_changes c using old o where c.xid = o.xid and c.realm_id = o.realm_id
              and not (c.realm_id = ${TRUNCATED} and c.xid = (select xid from last)) returning 1 as gone`.pipe(
            Effect.tap(deleteForeign),
            Effect.map((rows) => rows.length),
            Effect.orDie
          )
      })
    })
  )
}
