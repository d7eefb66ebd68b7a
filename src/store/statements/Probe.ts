import { Effect, Fiber, type Scope } from "effect"

/** How long the database may take to respond to a probe. */
const LIMIT = "2 seconds"

/**
 * Returns the result of a statement that checks the state of the database; undefined if it fails or takes longer than
 * two seconds. Canceling a statement takes longer if the server doesn't respond, but the caller doesn't wait for that.
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
