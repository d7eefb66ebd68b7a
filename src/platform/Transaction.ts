import { type Cause, Clock, Context, Data, Effect, Exit, Layer, Metric, Option, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError } from "effect/sql/SqlError"
import { Caller } from "#domain/Caller"
import { ClockWrong } from "#domain/ClockWrong"
import { ValidationOnly } from "#domain/KnownProblems"
import { Overloaded } from "#domain/Overloaded"
import { CurrentRealm } from "#domain/Realm"
import { InTransaction, makeAdmission } from "./Admission.ts"
import { codeOf, isReadOnly, isStale, messageOf } from "./DatabaseFaults.ts"
import type { Refusal } from "./RequestContext.ts"
import { SecretUnavailable } from "./Secrets.ts"
import { shareOf, WorkerCount } from "./WorkerCount.ts"

/** A separate SQL client for long statements. With the embedded database, it is the same client. */
export class SlowSql extends Context.Service<SlowSql, SqlClient>()("sallyport/platform/SlowSql") {}

/**
 * A separate SQL client for reporting that this process is healthy, so that the report doesn't wait for other work (C248).
 * With the embedded database, it is the same client.
 */
export class HealthSql extends Context.Service<HealthSql, SqlClient>()("sallyport/platform/HealthSql") {}

/** The connections to a replica of the database. `describe` names the server and database, without a password. */
interface ReplicaConnections {
  readonly sql: SqlClient
  readonly describe: string
  /** How long a read waits for the replica to catch up with the primary, in milliseconds. */
  readonly maxLagMillis: number
  /** The maximum number of connections for reads. */
  readonly connections: number
  /** Runs work on one connection, so that all statements reach the same server. */
  readonly hold: <A, E, R>(
    work: (connection: Connection) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError, R>
}

/** The replica of the database, or undefined if there is none. */
export const ReplicaSql = Context.Reference<ReplicaConnections | undefined>("sallyport/platform/ReplicaSql", {
  defaultValue: () => undefined
})

/** Checks on a reserved connection whether the database is usable. */
export class DatabaseCheck extends Context.Service<DatabaseCheck, Effect.Effect<boolean, SqlError>>()(
  "sallyport/platform/DatabaseCheck"
) {}

/**
 * Closes all connections if they are to a standby, which accepts no writes. New connections go to the primary, if it can be
 * found.
 */
export const LeaveStandby = Context.Reference<Effect.Effect<void>>("sallyport/platform/LeaveStandby", {
  defaultValue: () => Effect.void
})

/** How many transactions may run at the same time. Lower than the number of connections, so that some remain for reads. */
export const TransactionConcurrency = Context.Reference<number>("sallyport/platform/TransactionConcurrency", {
  defaultValue: () => 1
})

/** How many transactions may wait, across all workers. A busy database completes this many in a fraction of a second. */
const QUEUE_LIMIT = 256

/** The key for sharing capacity fairly: the realm, or else the caller's API key or operator, or else the service itself. */
export const fairnessKey = (context: Context.Context<never>): string => {
  const realm = Context.getOption(context, CurrentRealm)
  const caller = Context.getOption(context, Caller)
  if (Option.isNone(realm) && Option.isNone(caller)) return "service"
  return Option.isSome(realm) ? realm.value.id : Option.getOrThrow(caller).by.id
}

const waits = Metric.histogram("database_transaction_wait_seconds", {
  description: "Time that operations wait for a connection from the pool and for the start of their transaction.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

/** A connection reserved for one statement at a time. */
interface Reserved {
  readonly connection: Connection
  readonly scope: Scope.Closeable
}

/** A call that only validates its request was about to commit a change. */
export class NothingMayChange extends Data.TaggedError("NothingMayChange")<{}> {}

const nothingMayChange = Effect.die(new NothingMayChange())

/** Runs changes atomically. */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * Runs an operation in a transaction. A nested transaction becomes a savepoint. If too many transactions are waiting,
     * dies with `Overloaded`, which is reported like an unavailable database. In a call that only validates its request,
     * rolls back and dies with `NothingMayChange`.
     */
    run<A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /**
     * Runs a single statement that changes data. If no transaction is open, it commits automatically, which saves the round
     * trips of begin and commit. It then has its own connection, so that no other statement has to wait while it waits for
     * locks.
     */
    runSingle<A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Returns whether a transaction is open in the context of a call. A nested transaction would join it. */
    isOpenIn(context: Context.Context<never>): boolean
    /** Runs an effect after the outermost transaction has committed, or immediately if none is open. */
    afterCommit<R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R>
  }
>()("sallyport/platform/Transaction") {
  static readonly layer = Layer.effect(
    Transaction,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const leaveStandby = yield* LeaveStandby
      const admission = makeAdmission({
        name: "transactions",
        concurrency: yield* TransactionConcurrency,
        queueLimit: shareOf(QUEUE_LIMIT, yield* WorkerCount)
      })
      const begin = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
        sql
          .withTransaction(Effect.mapError(operation, (error) => new OperationFailed(error)))
          .pipe(
            Effect.catch((failure) =>
              failure instanceof OperationFailed ? Effect.fail(failure.error) : Effect.die(failure)
            )
          )
      /** Repeats an operation if a migration has made a prepared statement stale. The statement is then prepared again. */
      const retryIfStale = <A, E, R>(
        operation: Effect.Effect<A, E, R>,
        times = STALE_STATEMENTS
      ): Effect.Effect<A, E, R> =>
        Effect.catchCause(begin(operation), (cause) =>
          times > 0 && isAny(cause, isStale) ? retryIfStale(operation, times - 1) : Effect.failCause(cause)
        )
      const isInside = (context: Context.Context<never>) =>
        Option.isSome(Context.getOption(context, sql.transactionService))
      /** Runs work that needs a connection as soon as there is capacity. The work calls `began` when it has the connection. */
      const admit = <A, E, R>(
        context: Context.Context<never>,
        holding: (began: () => void) => Effect.Effect<A, E, R>
      ) => {
        const clock = Context.get(context, Clock.Clock)
        const startedAt = clock.monotonicTimeNanosUnsafe()
        const began = () => waits.updateUnsafe(Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e9, context)
        return Effect.onError(admission.runOrDie(fairnessKey(context), holding(began)), (cause) =>
          isAny(cause, isReadOnly) ? leaveStandby : Effect.void
        )
      }

      /** Connections handed over from finished statements to the next waiting ones. */
      const handedOver: Array<Reserved> = []
      /**
       * Runs a statement on its own connection. If possible, it reuses the connection of the previous statement, because
       * reserving one costs as much as a statement.
       */
      const runAlone = <A, E, R>(statement: Effect.Effect<A, E, R>, began: () => void) => {
        let scope: Scope.Closeable | undefined
        let connection: Connection | undefined
        const runOn = (reserved: Connection) => {
          connection = reserved
          began()
          return Effect.provideService(statement, sql.transactionService, [reserved, 0])
        }
        // The finalizer is registered before there is a connection, so that the connection is released even if the fiber is
        // interrupted.
        return Effect.onExitPrimitive(
          Effect.suspend(() => {
            const passed = handedOver.pop()
            scope = passed?.scope ?? Scope.makeUnsafe()
            return passed === undefined
              ? Effect.flatMap(Scope.provide(Effect.orDie(sql.reserve), scope), runOn)
              : runOn(passed.connection)
          }),
          (exit) => {
            if (scope === undefined) return undefined
            if (connection === undefined || Exit.isFailure(exit) || admission.waiting === 0)
              return Scope.close(scope, exit)
            handedOver.push({ connection, scope })
            return undefined
          }
        )
      }
      /** Closes a handed-over connection that nobody took. When a job has ended, the next one in line has already started. */
      const closeLeftover = () => {
        const left = handedOver.pop()
        return left === undefined ? undefined : Scope.close(left.scope, Exit.void)
      }
      return Transaction.of({
        isOpenIn: isInside,
        run: (operation) =>
          Effect.contextWith((context) => {
            const work = Context.get(context, ValidationOnly) ? Effect.andThen(operation, nothingMayChange) : operation
            return isInside(context)
              ? begin(work)
              : admit(context, (began) =>
                  retryIfStale(Effect.provideService(Effect.andThen(Effect.sync(began), work), InTransaction, true))
                )
          }),
        runSingle: (statement) =>
          Effect.contextWith((context) =>
            isInside(context)
              ? statement
              : Context.get(context, ValidationOnly)
                ? nothingMayChange
                : Effect.onExitPrimitive(
                    admit(context, (began) => runAlone(statement, began)),
                    closeLeftover
                  )
          ),
        afterCommit: sql.afterCommit
      })
    })
  )
}

/** Distinguishes an operation's own failures from database errors, which are defects. */
class OperationFailed<E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** Returns whether an error is a violation of this unique index. */
export const violates =
  (index: string) =>
  (error: unknown): error is SqlError =>
    error instanceof SqlError && error.reason._tag === "UniqueViolation" && error.reason.constraint === index

/** Error codes that the driver does not classify: the server is starting or stopping, or has run out of resources. */
const UNREACHABLE = /^57P0[123]$/
const EXHAUSTED = /^53...$/

/** The maximum number of stale statements in one operation. Each attempt can find only one. */
const STALE_STATEMENTS = 20

const isAny = ({ reasons }: Cause.Cause<unknown>, is: (reason: SqlError["reason"]) => boolean): boolean =>
  reasons.some((one) => one._tag === "Die" && one.defect instanceof SqlError && is(one.defect.reason))

/** The class of a database error for the metrics, such as `connection`, or undefined for any other defect. */
export const databaseErrorOf = (defect: unknown): string | undefined =>
  defect instanceof SqlError
    ? defect.reason._tag
        .replace(/Error$/, "")
        .replaceAll(/(?!^)[A-Z]/g, "_$&")
        .toLowerCase()
    : undefined

/** The reason the service is temporarily unavailable, and when to retry. */
export interface Unavailability extends Refusal {
  readonly code: "unavailable" | "overloaded" | "encryption_key_missing" | "clock_wrong"
  readonly retryAfterSeconds: number
}

/** The temporary problem that caused a defect, or undefined if the defect has another cause. */
export const unavailabilityOf = (defect: unknown): Unavailability | undefined => {
  if (defect instanceof Overloaded) {
    const { reason, retryAfterSeconds } = defect
    return { code: "overloaded", retryAfterSeconds, reason, isDatabaseUnreachable: false }
  }
  const unavailable = { code: "unavailable", retryAfterSeconds: 1 } as const
  if (defect instanceof ClockWrong) {
    return { ...unavailable, code: "clock_wrong", reason: defect.reason, isDatabaseUnreachable: false }
  }
  // The value was probably encrypted by a node with a newer key. It becomes readable when this node gets the key too.
  if (defect instanceof SecretUnavailable) {
    const { table, column } = defect.location
    return {
      ...unavailable,
      code: "encryption_key_missing",
      reason: `a value of ${table}.${column} can't be decrypted with this node's SALLYPORT_SECRET`,
      isDatabaseUnreachable: false
    }
  }
  if (!(defect instanceof SqlError)) return undefined
  const code = codeOf(defect.reason)
  const isDatabaseUnreachable = defect.reason._tag === "ConnectionError" || UNREACHABLE.test(code)
  return isDatabaseUnreachable || defect.isRetryable || EXHAUSTED.test(code) || isReadOnly(defect.reason)
    ? {
        ...unavailable,
        reason: messageOf(defect.reason),
        isDatabaseUnreachable,
        databaseError: databaseErrorOf(defect) ?? "unknown"
      }
    : undefined
}

/** The first temporary problem in a cause, if any. */
export const unavailabilityIn = (cause: Cause.Cause<unknown>): Unavailability | undefined => {
  for (const reason of cause.reasons) {
    const found = reason._tag === "Die" ? unavailabilityOf(reason.defect) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
