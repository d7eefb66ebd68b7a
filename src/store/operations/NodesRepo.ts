import { Context, Effect, Layer } from "effect"
import { HealthSql, SlowSql } from "#platform/Transaction"
import { probe } from "../statements/Probe.ts"

/** A running server process, as of its last heartbeat. */
export interface NodeRow {
  readonly id: string
  /** A counter that increases while the process is alive. */
  readonly beat: number
  /** The ids of the encryption keys that the process has. */
  readonly keyIds: ReadonlyArray<string>
}

/** Stores the running server processes. Heartbeats use their own connection, so that other work can't delay them. */
export class NodesRepo extends Context.Service<
  NodesRepo,
  {
    /** Records a heartbeat. Returns all nodes, or undefined if the database does not respond. */
    beat(node: NodeRow): Effect.Effect<ReadonlyArray<NodeRow> | undefined>
    /**
     * Makes everything a node has claimed due now, so that other nodes take over. Returns the number of deliveries and
     * logout notices.
     */
    release(id: string, now: Date): Effect.Effect<number>
    /** Removes a node if the database responds. If the node is still alive, it reappears with its next heartbeat. */
    remove(id: string): Effect.Effect<void>
  }
>()("sallyport/store/NodesRepo") {
  static readonly layer = Layer.effect(
    NodesRepo,
    Effect.gen(function* () {
      const sql = yield* HealthSql
      const slow = yield* SlowSql
      const scope = yield* Effect.scope
      const all = sql<{ readonly id: string; readonly beat: string; readonly key_ids: ReadonlyArray<string> }>`
        select id, beat::text as beat, key_ids from nodes`
      return NodesRepo.of({
        beat: ({ id, beat, keyIds }) =>
          Effect.map(
            probe(
              scope,
              Effect.andThen(
                sql`insert into nodes (id, beat, key_ids) values (${id}, ${beat}, ${keyIds})
                  on conflict (id) do update set beat = excluded.beat, key_ids = excluded.key_ids`,
                all
              )
            ),
            (rows) => rows?.map((row) => ({ id: row.id, beat: Number(row.beat), keyIds: row.key_ids }))
          ),
        release: (id, now) =>
          slow<{ readonly count: number }>`with d as (
              update deliveries set due_at = ${now}, claimed_by = null
              where state = 'in_progress' and claimed_by = ${id} returning 1
            ), l as (
              update oauth_logouts set due_at = ${now}, claimed_by = null where claimed_by = ${id} returning 1
            ) select ((select count(*) from d) + (select count(*) from l))::int as count`.pipe(
            Effect.map(([row]) => row?.count ?? 0),
            Effect.orDie
          ),
        remove: (id) => Effect.asVoid(probe(scope, sql`delete from nodes where id = ${id}`))
      })
    })
  )
}
