import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** The database cannot be used. `message` is one sentence for the operator and never holds a password. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly reason:
    | "InUse"
    | "Newer"
    | "Changed"
    | "Unreachable"
    | "Unauthorized"
    | "TooOld"
    | "TooFewConnections"
    | "Busy"
    | "NotAllowed"
    | "Damaged"
    | "Broken"
  readonly message: string
}> {}

/** The SQLSTATE or the system's error code behind a failure, such as `42P01` or `ECONNREFUSED`. */
export const codeOf = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}

/** The database's own message, in one line. */
export const detailOf = (error: SqlError): string => {
  const cause = error.reason.cause
  const message = cause instanceof Error && cause.message !== "" ? cause.message : (codeOf(error) ?? error.message)
  return message.replaceAll(/\s*\n\s*/g, " ")
}
