import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ReplicaSql, SlowSql } from "#platform/Transaction"
import { batchedReads } from "../statements/BatchedReads.ts"

/** A position in a database's write-ahead log. */
export interface Position {
  /** Identifies the server, its timeline and the database. Each failover begins a new timeline. */
  readonly history: string
  /** The position in the write-ahead log. */
  readonly at: bigint
}

/**
 * How much of the log a replica has replayed. `isReplica` is false for a server that accepts writes and does not follow
 * another one.
 */
export interface Replayed extends Position {
  readonly isReplica: boolean
}

/** A connection to the replica. Errors are defects. */
export interface HeldReplica {
  /** The log position that the next statement will see. */
  readonly replayed: Effect.Effect<Replayed>
  /** Runs an operation with all its statements on this connection. */
  readonly run: <A, E, R>(operation: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Whether the statements of a fiber run on the replica. */
const OnReplica = Context.Reference<boolean>("sallyport/store/OnReplica", { defaultValue: () => false })

interface PositionRow {
  readonly history: string
  readonly at: string | null
}

const positionOf = ({ history, at }: PositionRow): Position => ({ history, at: BigInt(at ?? -1) })

/** Reads from a replica of the database if there is one (ADR-0023). */
export class ReplicaRepo extends Context.Service<
  ReplicaRepo,
  {
    /** The replica's description, without its password, and its limits. Undefined if there is none. */
    readonly replica:
      | { readonly describe: string; readonly maxLagMillis: number; readonly connections: number }
      | undefined
    /** The primary's log position. It includes everything acknowledged before this call. Concurrent calls share one statement. */
    readonly committed: Effect.Effect<Position>
    /** Runs an operation with a connection to the replica. Dies if there is none. */
    withReplica<A, E, R>(use: (replica: HeldReplica) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Runs an operation on the primary, even from inside an operation that may read from the replica. */
    onPrimary<A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  }
>()("sallyport/store/ReplicaRepo") {
  static readonly layer = Layer.effect(
    ReplicaRepo,
    Effect.gen(function* () {
      const fast = yield* SqlClient
      const slow = yield* SlowSql
      const replica = yield* ReplicaSql

      // With synchronous_commit = off, a commit is acknowledged before it is on disk. Only the end of the log is certain to
      // include it.
      const committed = fast<PositionRow>`
        select s.system_identifier || '/' || left(pg_walfile_name(w.lsn), 8) || '/' || current_database() as history,
          (w.lsn - '0/0')::text as at
        from pg_control_system() s, (select case when current_setting('synchronous_commit') = 'off'
          then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) w`.pipe(
        Effect.map(([row]) => positionOf(row ?? { history: "", at: null })),
        Effect.orDie
      )

      const ask = batchedReads(fast, (_: ReadonlyArray<"now">) => Effect.map(committed, (position) => () => position))

      const withReplica = <A, E, R>(use: (held: HeldReplica) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
        if (replica === undefined) return Effect.die(new Error("There is no replica."))
        const { sql } = replica
        // Log file names contain the timeline's number in hexadecimal.
        const asked = sql<PositionRow & { readonly isReplica: boolean }>`
          select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0')::text as at,
            s.system_identifier || '/' || upper(lpad(to_hex(c.timeline_id), 8, '0')) || '/' || current_database() as history
          from pg_control_system() s, pg_control_checkpoint() c`
        const held = replica.hold((connection) => {
          const run: HeldReplica["run"] = (operation) =>
            operation.pipe(
              Effect.provideService(fast.transactionService, [connection, 0]),
              Effect.provideService(slow.transactionService, [connection, 0]),
              Effect.provideService(OnReplica, true)
            )
          const replayed = asked.pipe(
            Effect.provideService(sql.transactionService, [connection, 0]),
            Effect.map(
              ([row]): Replayed => ({
                ...positionOf(row ?? { history: "", at: null }),
                isReplica: row?.isReplica === true
              })
            ),
            Effect.orDie
          )
          return Effect.exit(use({ replayed, run }))
        })
        return Effect.flatten(Effect.orDie(held))
      }

      const held: ReadonlySet<string> = new Set([
        fast.transactionService.key,
        slow.transactionService.key,
        OnReplica.key
      ])
      const offConnection = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
        Effect.updateContext(operation, ({ mapUnsafe }: Context.Context<R>) =>
          Context.makeUnsafe<R>(new Map([...mapUnsafe].filter(([key]) => !held.has(key))))
        )

      return ReplicaRepo.of({
        replica,
        committed: ask("now"),
        withReplica,
        onPrimary: (operation) =>
          Effect.contextWith((context: Context.Context<never>) =>
            Context.get(context, OnReplica) ? offConnection(operation) : operation
          )
      })
    })
  )
}
