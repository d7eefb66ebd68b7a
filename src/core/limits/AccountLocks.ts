import { Context, Effect, Layer } from "effect"
import { admitted, makeAdmission } from "#platform/Admission"
import { Transaction } from "#platform/Transaction"

/** How many wait for their turn at most: of all accounts, and of one. */
const PLACES = 1_000
const PLACES_OF_ONE = 200

/**
 * What locks an account's row goes one after the other on a node, before it has a connection: of many tries of one account
 * one waits in the database, and all others in the process, where they are in nobody's way.
 */
export class AccountLocks extends Context.Service<
  AccountLocks,
  {
    /**
     * Runs an operation in a transaction when it is the account's turn; inside a transaction it is a part of that. Dies of
     * `Overloaded` where too many wait. `account`: its id, or what stands for somebody who is not there.
     */
    run<A, E, R>(account: string, operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** The same without a transaction around it. */
    take<A, E, R>(account: string, operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  }
>()("sallyport/core/AccountLocks") {
  static readonly layer = Layer.effect(
    AccountLocks,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const turns = makeAdmission({
        name: "accounts",
        atOnce: Number.POSITIVE_INFINITY,
        atOnceOfOne: 1,
        places: PLACES,
        placesOfOne: PLACES_OF_ONE
      })
      const unlessInside = <A, E, R>(operation: Effect.Effect<A, E, R>, account: string, own: Effect.Effect<A, E, R>) =>
        Effect.flatMap(transaction.isOpen, (isOpen) => (isOpen ? operation : admitted(turns, account, own)))
      return AccountLocks.of({
        run: (account, operation) => unlessInside(operation, account, transaction.run(operation)),
        take: (account, operation) => unlessInside(operation, account, operation)
      })
    })
  )
}
