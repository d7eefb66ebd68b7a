import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** The database cannot be used. `message` is one sentence for the operator and never holds a password. */
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

/** The SQLSTATE or the system's error code behind a failure, such as `42P01` or `ECONNREFUSED`. */
export const codeOf = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}

/** Errors of a network, of an address without a server, and of a server that starts, stops or has no connection left. */
const AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|57P0[123]|53300|08006|08001)$/

/** What the driver says of a server that takes connections and is silent or hangs up, and what a pooler says of one that is away. */
const HANGS_UP =
  /^Connection (?:timed out|closed)$|^server login |^server_login_retry|cannot connect to server|query_wait_timeout/

/** Whether a server has refused a connection because it takes no writes: it is a standby, or its default is to be read only. */
export const isReadOnly = (error: SqlError): boolean =>
  error.reason.operation === "connect" && codeOf(error) === "25001"

/** Whether a server is away, and may come without anybody changing a setting. */
export const isAway = (error: SqlError): boolean =>
  AWAY.test(codeOf(error) ?? "") || HANGS_UP.test(detailOf(error)) || isReadOnly(error)

/** The database's own message, in one line. */
export const detailOf = (error: SqlError): string => {
  const cause = error.reason.cause
  const message = cause instanceof Error && cause.message !== "" ? cause.message : (codeOf(error) ?? error.message)
  return message.replaceAll(/\s*\n\s*/g, " ")
}
