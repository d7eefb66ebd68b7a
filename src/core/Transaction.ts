import { Clock, Context, Effect, Layer, Metric, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { SecretUnavailable } from "./Secrets.ts"

/** A client of its own for long statements, so that they delay no neighbour. Embedded: the same as the other. */
export class SlowSql extends Context.Service<SlowSql, SqlClient>()("sallyport/core/SlowSql") {}

const waits = Metric.histogram("database_transaction_wait_seconds", {
  description: "Time that operations wait for a connection of the pool and the begin of their transaction.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

/** Changes that happen together or not at all. */
export class Transaction extends Context.Service<
  Transaction,
  {
    /** Runs an operation in one transaction; one inside another is a savepoint of it. */
    run<A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Runs once the outermost transaction has committed, or at once where there is none. */
    afterCommit<R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R>
  }
>()("sallyport/core/Transaction") {
  static readonly layer = Layer.effect(
    Transaction,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const begin = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
        sql
          .withTransaction(Effect.mapError(operation, (error) => new Failed(error)))
          .pipe(
            Effect.catch((failure) => (failure instanceof Failed ? Effect.fail(failure.error) : Effect.die(failure)))
          )
      return Transaction.of({
        run: (operation) =>
          Effect.contextWith((context) => {
            if (Option.isSome(Context.getOption(context, sql.transactionService))) return begin(operation)
            const clock = Context.get(context, Clock.Clock)
            const asked = clock.monotonicTimeNanosUnsafe()
            const wait = Effect.suspend(() =>
              Metric.update(waits, Number(clock.monotonicTimeNanosUnsafe() - asked) / 1e9)
            )
            return begin(Effect.andThen(wait, operation))
          }),
        afterCommit: sql.afterCommit
      })
    })
  )
}

/** Keeps an operation's own failures apart from the database's, which are defects. */
class Failed<E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** True for the violation of the named unique index. */
export const violates =
  (index: string) =>
  (error: unknown): error is SqlError =>
    error instanceof SqlError && error.reason._tag === "UniqueViolation" && error.reason.constraint === index

/** Codes of a server that is starting, stopping or out of resources, which the driver does not tell from other errors. */
const AWAY = /^(57P0[123]|53...)$/

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null ? String(Reflect.get(cause, "code")) : ""

/**
 * True for what a defect of a repository is when the database can't be reached or is overwhelmed, or holds a secret that
 * can't be opened for now: worth another try.
 */
export const isDatabaseUnavailable = (defect: unknown): boolean =>
  defect instanceof SecretUnavailable ||
  (defect instanceof SqlError && (defect.isRetryable || AWAY.test(codeOf(defect.reason.cause))))
