import { Context, Effect, Exit, Option, Request, RequestResolver } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** The maximum number of keys to look up in one statement. */
const MAX_KEYS = 100

interface Read<Key, A> extends Request.Request<A> {
  readonly key: Key
}

/**
 * Combines the lookups that several requests make in the same turn of the event loop into one statement (C215). In a
 * transaction, each key is read separately on the transaction's connection, so that a caller occupying a connection never
 * waits for others. `read` returns the result for each key. If it fails, all of its lookups fail.
 */
export const batchedReads = <Key, A>(
  sql: SqlClient,
  read: (keys: ReadonlyArray<Key>) => Effect.Effect<(key: Key) => A>
): ((key: Key) => Effect.Effect<A>) => {
  const request = Request.of<Read<Key, A>>()
  const resolver = RequestResolver.make<Read<Key, A>>((entries) =>
    Effect.map(read(entries.map((entry) => entry.request.key)), (resultOf) => {
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(resultOf(entry.request.key)))
    })
  ).pipe(RequestResolver.batchN(MAX_KEYS))
  return (key) =>
    Effect.contextWith((context) =>
      Option.isSome(Context.getOption(context, sql.transactionService))
        ? Effect.map(read([key]), (resultOf) => resultOf(key))
        : Effect.request(request({ key }), resolver)
    )
}
