/** The reason for a database failure, as reported by the driver. */
interface Reason {
  readonly _tag: string
  readonly cause: unknown
  readonly operation?: string | undefined
}

/** The SQLSTATE or system error code of a failure, or an empty string if it has none. */
export const codeOf = ({ cause }: Reason): string =>
  typeof cause === "object" && cause !== null ? String(Reflect.get(cause, "code") ?? "") : ""

/**
 * The message of the server or the system about a failure, on one line. Some failures have none, such as a failed
 * connection to several addresses. The code is returned for these.
 */
export const messageOf = (reason: Reason): string => {
  const { cause, _tag } = reason
  const message = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(reason)
  const lines = (message === "" ? _tag : message).split("\n")
  return lines.map((line) => line.trim()).join(" ")
}

/** Returns whether the server rejected a prepared statement because a table's columns have changed since it was prepared. */
export const isStale = (reason: Reason): boolean =>
  codeOf(reason) === "0A000" && messageOf(reason).includes("cached plan")

/** Returns whether a server rejected a write, or a connection that requires a writable server, because it is read-only. */
export const isReadOnly = (reason: Reason): boolean => {
  const code = codeOf(reason)
  return code === "25006" || (code === "25001" && reason.operation === "connect")
}
