import { Predicate } from "effect"
import type { DatabaseRefused } from "#sql/DatabaseRefused"

/** Advice about a database that can't be used, by reason. */
export const databaseTodos = {
  InUse: "Stop that process, or run this on the machine where the service runs, while it is stopped.",
  Newer: "Run the release that migrated it, or a later one. This release can't go back.",
  Changed: "Run the release that created this database, or start with an empty one.",
  Away: "Check the host and the port in DATABASE_URL, and that PostgreSQL is running.",
  Unreachable: "Check the host, the port and the database in DATABASE_URL, and that PostgreSQL is running.",
  Unauthorized: "Check the user and the password in DATABASE_URL.",
  TooOld: "Use PostgreSQL 14 or later.",
  TooFewConnections: "Raise max_connections in PostgreSQL, or stop the programs that use the connections.",
  Pooler: "Set SALLYPORT_DATABASE_POOLER=transaction, or point DATABASE_URL directly at PostgreSQL.",
  NoTimeLimits:
    "Run as the user in DATABASE_URL: ALTER ROLE CURRENT_USER SET statement_timeout = '120s'; ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '30s'; then let the pooler reopen its connections (RECONNECT in PgBouncer).",
  Busy: "Run the command again: another node may be migrating.",
  Damaged:
    "Restore the whole folder SALLYPORT_DATA_DIR from a backup, and set the damaged one aside. See docs/guides/production.md.",
  NotAllowed: "sallyport doctor shows every privilege that the user in DATABASE_URL lacks."
} as const satisfies Partial<Record<DatabaseRefused["reason"], string>>

const todos: Readonly<Record<string, string | undefined>> = databaseTodos

/**
 * The same advice for the start of the service. It can't ask people to run a command again, and it is omitted if the
 * error message already includes it.
 */
const startTodos: typeof todos = {
  ...todos,
  InUse: undefined,
  TooFewConnections: undefined,
  Busy: "Start the service again: another node may be migrating."
}

const reasonOf = (error: unknown): string | undefined =>
  Predicate.isTagged(error, "DatabaseRefused") && Predicate.hasProperty(error, "reason")
    ? String(error.reason)
    : undefined

/**
 * Returns what to do about a database that a command can't use, or undefined if the error has another cause or already
 * includes advice.
 */
export const databaseTodo = (error: unknown): string | undefined => todos[reasonOf(error) ?? ""]

/** Like `databaseTodo`, for an error at the start of the service. */
export const databaseTodoAtStart = (error: unknown): string | undefined => startTodos[reasonOf(error) ?? ""]
