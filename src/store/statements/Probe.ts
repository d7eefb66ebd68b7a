import { Effect, Fiber, type Scope } from "effect"

/** How long the database may take to respond to a probe. */
const LIMIT = "2 seconds"

/**
 * Returns the result of a statement that checks the database's state, or undefined if it fails or takes longer than two
 * seconds. If the server does not respond, canceling the statement takes longer, but the caller does not wait for that.
 */
export const probe = <A, E>(scope: Scope.Scope, statement: Effect.Effect<A, E>): Effect.Effect<A | undefined> => {
  const answer = Effect.catch(
    Effect.map(statement, (found): A | undefined => found),
    () => Effect.succeed(undefined)
  )
  return Effect.flatMap(Effect.forkIn(answer, scope), (fiber) =>
    Effect.timeoutOrElse(Fiber.join(fiber), {
      duration: LIMIT,
      orElse: () => Effect.as(Effect.forkIn(Fiber.interrupt(fiber), scope), undefined)
    })
  )
}
