import { Context, Effect, Layer } from "effect"
import { makeAdmission } from "#platform/Admission"
import { Transaction } from "#platform/Transaction"

/** The maximum number of waiting operations, in total and per account. */
const QUEUE_LIMIT = 1_000
const QUEUE_LIMIT_PER_ACCOUNT = 200

/**
 * Queues the operations that lock the same account's row, before they take a connection. Each node has its own queues. Without
 * them, many attempts on one account would each hold a connection while they wait for the row.
 */
export class AccountLocks extends Context.Service<
  AccountLocks,
  {
    /**
     * Waits for the account's other operations, then runs the operation in a transaction. If a transaction is already open,
     * the operation joins it without waiting. Dies with `Overloaded` if too many operations wait. `account` is the user ID, or
     * a key for a name that no user has.
     */
    transact<A, E, R>(account: string, operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Like `transact`, but without a transaction. */
    withLock<A, E, R>(account: string, operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  }
>()("sallyport/core/AccountLocks") {
  static readonly layer = Layer.effect(
    AccountLocks,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const queue = makeAdmission({
        name: "accounts",
        concurrency: Number.POSITIVE_INFINITY,
        concurrencyPerKey: 1,
        queueLimit: QUEUE_LIMIT,
        queueLimitPerKey: QUEUE_LIMIT_PER_ACCOUNT
      })
      const queueUnlessOpen = <A, E, R>(
        operation: Effect.Effect<A, E, R>,
        account: string,
        queued: Effect.Effect<A, E, R>
      ) =>
        Effect.contextWith((context: Context.Context<R>) =>
          transaction.isOpenIn(context) ? operation : queue.runOrDie(account, queued)
        )
      return AccountLocks.of({
        transact: (account, operation) => queueUnlessOpen(operation, account, transaction.run(operation)),
        withLock: (account, operation) => queueUnlessOpen(operation, account, operation)
      })
    })
  )
}
