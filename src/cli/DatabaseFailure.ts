import { Effect, Predicate } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

/** What to do about a database that can't be used, by the reason that the service gives. */
const todos: Readonly<Record<string, string>> = {
  InUse: "Stop that process, or run this on the machine where the service runs, while it is stopped.",
  Newer: "Run the release that migrated it, or a later one. This release can't go back.",
  Changed: "Run the release that made this database, or start with an empty one.",
  Unreachable: "Check the host and the port in DATABASE_URL, and that PostgreSQL runs.",
  Unauthorized: "Check the user and the password in DATABASE_URL.",
  TooOld: "Use PostgreSQL 14 or later.",
  TooFewConnections: "Raise max_connections of PostgreSQL, or stop what holds them.",
  Busy: "Run the command again: another node may be migrating."
}

/** Says what to do where the service only says why it can't use its database. */
export const explainDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => {
    if (!Predicate.isTagged(error, "DatabaseRefused") || !(error instanceof Error)) return error
    const reason = Predicate.hasProperty(error, "reason") ? error.reason : undefined
    const todo = typeof reason === "string" ? todos[reason] : undefined
    return new CommandFailed({ happened: error.message, ...(todo === undefined ? {} : { todo }) })
  })
