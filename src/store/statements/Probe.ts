import { Effect, Fiber, type Scope } from "effect"

/** How long a database may take to answer a probe. */
const LIMIT = "2 seconds"

/**
 * The answer to a statement that asks how the database fares; undefined if it fails, or after two seconds. Where the server does
 * not answer, ending the statement takes longer, and whoever asks does not wait for that.
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
