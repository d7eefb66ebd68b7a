import { Effect, Predicate } from "effect"
import { databaseTodo } from "#server/DatabaseAdvice"
import { CommandFailed } from "./CommandFailed.ts"

/** Adds advice to errors that only report why the database can't be used. */
export const explainDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => {
    if (!Predicate.isTagged(error, "DatabaseRefused") || !(error instanceof Error)) return error
    const todo = databaseTodo(error)
    return new CommandFailed({ happened: error.message, ...(todo === undefined ? {} : { todo }) })
  })
