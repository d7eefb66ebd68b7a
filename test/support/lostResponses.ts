import { Effect, Layer } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { CurrentTransformer } from "effect/sql/Statement"
import { recordedStatements } from "./statements.ts"

/** A statement whose connection breaks once: before the server receives it, or after the server has executed it. */
export interface BrokenStatement {
  readonly statement: RegExp
  readonly carriedOut: boolean
}

const away = new SqlError({ reason: new ConnectionError({ cause: new Error("Connection terminated unexpectedly") }) })

/** Breaks the connections of these statements, one after the other. `left` lists the statements not sent yet. */
export const withBrokenStatements = (...broken: ReadonlyArray<BrokenStatement>) => {
  const left = [...broken]
  const layer = Layer.effect(
    CurrentTransformer,
    Effect.map(CurrentTransformer, (before) => (statement, sql, fiber, span) => {
      const [text] = statement.compile()
      const [next] = left
      if (next?.statement.test(text) === true) {
        left.shift()
        return next.carriedOut ? Effect.andThen(Effect.orDie(statement), Effect.die(away)) : Effect.die(away)
      }
      return before === undefined ? Effect.succeed(statement) : before(statement, sql, fiber, span)
    })
  ).pipe(Layer.provide(recordedStatements))
  return { layer, left }
}
