import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** The database can't be used. `message` is a sentence for the operator, without any password. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly reason:
    | "InUse"
    | "Newer"
    | "Changed"
    | "Away"
    | "Unreachable"
    | "Unauthorized"
    | "TooOld"
    | "TooFewConnections"
    | "Pooler"
    | "NoTimeLimits"
    | "Busy"
    | "NotAllowed"
    | "Damaged"
    | "Broken"
  readonly message: string
}> {}

/** The SQLSTATE or system error code of a failure, such as `42P01` or `ECONNREFUSED`. */
export const codeOf = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}

/** Network errors, and errors of servers that don't exist, are starting or stopping, or have no connections left. */
const NETWORK_ERROR =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|57P0[123]|53300|08006|08001)$/

/**
 * The driver's messages about a server that accepts connections but is silent or hangs up, and a pooler's messages about an
 * unreachable server.
 */
const NO_RESPONSE =
  /^Connection (?:timed out|closed)$|^server login |^server_login_retry|cannot connect to server|query_wait_timeout/

/** Returns whether a server rejected a connection because it accepts no writes, being a standby or read-only by default. */
export const isReadOnly = (error: SqlError): boolean =>
  error.reason.operation === "connect" && codeOf(error) === "25001"

/** Returns whether a server can't be reached but may return without a change of settings. */
export const isUnreachable = (error: SqlError): boolean =>
  NETWORK_ERROR.test(codeOf(error) ?? "") || NO_RESPONSE.test(detailOf(error)) || isReadOnly(error)

/** The database's own message, on one line. */
export const detailOf = (error: SqlError): string => {
  const cause = error.reason.cause
  const message = cause instanceof Error && cause.message !== "" ? cause.message : (codeOf(error) ?? error.message)
  return message.replaceAll(/\s*\n\s*/g, " ")
}
