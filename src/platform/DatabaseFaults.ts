/** The reason for a database failure, as the driver reports it. */
interface Reason {
  readonly _tag: string
  readonly cause: unknown
  readonly operation?: string | undefined
}

/** The SQLSTATE or the system's error code of a failure; empty if it has none. */
export const codeOf = ({ cause }: Reason): string =>
  typeof cause === "object" && cause !== null ? String(Reflect.get(cause, "code") ?? "") : ""

/**
 * The message of the server or the system about a failure, in one line. If there is none, as for a failed connection to several
 * addresses, it is the code.
 */
export const messageOf = (reason: Reason): string => {
  const { cause, _tag } = reason
  const message = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(reason)
  const lines = (message === "" ? _tag : message).split("\n")
  return lines.map((line) => line.trim()).join(" ")
}

/** Whether the server rejected a prepared statement because the columns of a table have changed since. */
export const isStale = (reason: Reason): boolean =>
  codeOf(reason) === "0A000" && messageOf(reason).includes("cached plan")

/** Whether a read-only server rejected a write, or a connection that requires a writable server. */
export const isReadOnly = (reason: Reason): boolean => {
  const code = codeOf(reason)
  return code === "25006" || (code === "25001" && reason.operation === "connect")
}
