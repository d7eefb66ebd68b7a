import type { Cause } from "effect"
import { SqlError } from "effect/sql/SqlError"

/** The SQLSTATE or the system's error code of what an error of the database was caused by; empty: it has none. */
export const codeOf = ({ reason: { cause } }: SqlError): string =>
  typeof cause === "object" && cause !== null ? String(Reflect.get(cause, "code") ?? "") : ""

/** What the server or the system says of a failure, in one line. A failed connection to several addresses has no message. */
export const messageOf = (error: SqlError): string => {
  const { cause, _tag } = error.reason
  const message = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(error)
  const lines = (message === "" ? _tag : message).split("\n")
  return lines.map((line) => line.trim()).join(" ")
}

const isAny = ({ reasons }: Cause.Cause<unknown>, is: (error: SqlError) => boolean): boolean =>
  reasons.some((reason) => reason._tag === "Die" && reason.defect instanceof SqlError && is(reason.defect))

/** Whether the server has refused a prepared statement because a table has got other columns since. */
export const isStale = (cause: Cause.Cause<unknown>): boolean =>
  isAny(cause, (error) => codeOf(error) === "0A000" && messageOf(error).includes("cached plan"))

/** Of a server that takes no writes: it has refused one, or a connection, which may only begin where writes are taken. */
export const isReadOnly = (error: SqlError): boolean => {
  const code = codeOf(error)
  return code === "25006" || (code === "25001" && error.reason.operation === "connect")
}

/** Whether a write came to a server that takes none. */
export const isReadOnlyServer = (cause: Cause.Cause<unknown>): boolean => isAny(cause, isReadOnly)
