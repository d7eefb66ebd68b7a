import { type Cause, Clock, Context, Effect, Layer, Metric, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { Caller } from "#domain/Caller"
import { Overloaded } from "#domain/Overloaded"
import { CurrentRealm } from "#domain/Realm"
import { admitted, HoldsTransaction, makeAdmission } from "./Admission.ts"
import { SecretUnavailable } from "./Secrets.ts"

/** A client of its own for long statements, so that they delay no neighbour. Embedded: the same as the other. */
export class SlowSql extends Context.Service<SlowSql, SqlClient>()("sallyport/platform/SlowSql") {}

/** How many transactions run at once: fewer than there are connections, so that reads have theirs. */
export const TransactionsAtOnce = Context.Reference<number>("sallyport/platform/TransactionsAtOnce", {
  defaultValue: () => 1
})

/** How many transactions wait for their turn at most: what a busy database does in a fraction of a second. */
const PLACES = 256

/** Whose work it is, so that nobody's flood stands before anybody else's: a caller's in a realm, or our own. */
export const ownerIn = (context: Context.Context<never>): string => {
  const realm = Context.getOption(context, CurrentRealm)
  const caller = Context.getOption(context, Caller)
  if (Option.isNone(realm) && Option.isNone(caller)) return "service"
  return Option.isSome(realm) ? realm.value.id : Option.getOrThrow(caller).keyId
}

const waits = Metric.histogram("database_transaction_wait_seconds", {
  description: "Time that operations wait for a connection from the pool and for their transaction to begin.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

/** Changes that happen together or not at all. */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * Runs an operation in one transaction; one inside another is a savepoint of it. Dies of `Overloaded` when too many wait
     * for their turn: that is answered as a database that is away.
     */
    run<A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Whether one has begun that this would be a part of. */
    readonly isOpen: Effect.Effect<boolean>
    /** Runs once the outermost transaction has committed, or at once where there is none. */
    afterCommit<R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R>
  }
>()("sallyport/platform/Transaction") {
  static readonly layer = Layer.effect(
    Transaction,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const admission = makeAdmission({ name: "transactions", atOnce: yield* TransactionsAtOnce, places: PLACES })
      const begin = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
        sql
          .withTransaction(Effect.mapError(operation, (error) => new Failed(error)))
          .pipe(
            Effect.catch((failure) => (failure instanceof Failed ? Effect.fail(failure.error) : Effect.die(failure)))
          )
      const isInside = (context: Context.Context<never>) =>
        Option.isSome(Context.getOption(context, sql.transactionService))
      return Transaction.of({
        isOpen: Effect.contextWith((context: Context.Context<never>) => Effect.succeed(isInside(context))),
        run: (operation) =>
          Effect.contextWith((context) => {
            if (isInside(context)) return begin(operation)
            const clock = Context.get(context, Clock.Clock)
            const asked = clock.monotonicTimeNanosUnsafe()
            const wait = Effect.suspend(() =>
              Metric.update(waits, Number(clock.monotonicTimeNanosUnsafe() - asked) / 1e9)
            )
            const held = Effect.provideService(Effect.andThen(wait, operation), HoldsTransaction, true)
            return admitted(admission, ownerIn(context), begin(held))
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

/** Why nothing can be done now, and after how many seconds it may be tried again. */
export interface Unavailability {
  readonly code: "unavailable" | "overloaded"
  readonly retryAfterSeconds: number
}

/** What a defect says of the database: that it can't be reached, or has more to do than it can; undefined for any other. */
export const unavailabilityOf = (defect: unknown): Unavailability | undefined => {
  if (defect instanceof Overloaded) return { code: "overloaded", retryAfterSeconds: defect.retryAfterSeconds }
  // What is sealed by a node with a newer key opens once that node's key is known here, too.
  if (defect instanceof SecretUnavailable) return { code: "unavailable", retryAfterSeconds: 1 }
  const away = defect instanceof SqlError && (defect.isRetryable || AWAY.test(codeOf(defect.reason.cause)))
  return away ? { code: "unavailable", retryAfterSeconds: 1 } : undefined
}

/** The same for a whole cause. */
export const unavailabilityIn = (cause: Cause.Cause<unknown>): Unavailability | undefined => {
  for (const reason of cause.reasons) {
    const found = reason._tag === "Die" ? unavailabilityOf(reason.defect) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
