import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"

/** A client of its own for long statements, so that they delay no neighbour. Embedded: the same as the other. */
export class SlowSql extends Context.Service<SlowSql, SqlClient>()("sallyport/core/SlowSql") {}

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
      return Transaction.of({
        run: (operation) =>
          sql
            .withTransaction(Effect.mapError(operation, (error) => new Failed(error)))
            .pipe(
              Effect.catch((failure) => (failure instanceof Failed ? Effect.fail(failure.error) : Effect.die(failure)))
            ),
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

/** True for what a defect of a repository is when the database can't be reached or is overwhelmed: worth another try. */
export const isDatabaseUnavailable = (defect: unknown): boolean => defect instanceof SqlError && defect.isRetryable
