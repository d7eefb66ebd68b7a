/** Why something of the database has failed, as the driver says it. */
interface Reason {
  readonly _tag: string
  readonly cause: unknown
  readonly operation?: string | undefined
}

/** The SQLSTATE or the system's error code of a failure; empty: it has none. */
export const codeOf = ({ cause }: Reason): string =>
  typeof cause === "object" && cause !== null ? String(Reflect.get(cause, "code") ?? "") : ""

/** What the server or the system says of a failure, in one line. A failed connection to several addresses has no message. */
export const messageOf = (reason: Reason): string => {
  const { cause, _tag } = reason
  const message = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(reason)
  const lines = (message === "" ? _tag : message).split("\n")
  return lines.map((line) => line.trim()).join(" ")
}

/** Whether the server has refused a prepared statement because a table has got other columns since. */
export const isStale = (reason: Reason): boolean =>
  codeOf(reason) === "0A000" && messageOf(reason).includes("cached plan")

/** Whether a server that takes no writes has refused one, or a connection, which may only begin where writes are taken. */
export const isReadOnly = (reason: Reason): boolean => {
  const code = codeOf(reason)
  return code === "25006" || (code === "25001" && reason.operation === "connect")
}
