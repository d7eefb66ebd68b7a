import { Cause, type Logger, References } from "effect"
import { CurrentRequestContext } from "#platform/RequestContext"

type Entry = Logger.Options<unknown>

/** The message of an entry, which is usually a sentence. */
const messageOf = ({ message }: Entry): string =>
  (Array.isArray(message) ? message : [message])
    .map((part: unknown) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ")

/** The request and the trace that an entry belongs to. */
const originOf = ({ fiber }: Entry): Readonly<Record<string, unknown>> => {
  const { requestId, traceId } = fiber.getRef(CurrentRequestContext)
  return {
    ...(requestId === "" ? {} : { request_id: requestId }),
    ...(traceId === undefined ? {} : { trace_id: traceId })
  }
}

/** The fields of an entry in addition to its message. */
const fieldsOf = (entry: Entry): Readonly<Record<string, unknown>> => ({
  ...originOf(entry),
  ...entry.fiber.getRef(References.CurrentLogAnnotations),
  ...(entry.cause.reasons.length === 0 ? {} : { cause: Cause.pretty(entry.cause) })
})

/** Formats an entry as one line of JSON: the time, level and message, then the fields. `pid` distinguishes workers. */
export const jsonLine = (entry: Entry): string =>
  JSON.stringify({
    timestamp: entry.date.toISOString(),
    level: entry.logLevel.toUpperCase(),
    message: messageOf(entry),
    pid: process.pid,
    ...fieldsOf(entry)
  })

/** Formats the last entry before a fatal error ends the process, as one line of JSON. `fields`: additional fields. */
export const fatalLine = (date: Date, message: string, fields: Readonly<Record<string, string | undefined>>): string =>
  JSON.stringify({ timestamp: date.toISOString(), level: "FATAL", message, pid: process.pid, ...fields })

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return /^[\w./:@-]+$/.test(text) ? text : JSON.stringify(text)
}

/** Formats an entry as one line of text, with any stack trace below it. */
export const textLine = (entry: Entry): string => {
  const { cause, ...fields } = fieldsOf(entry)
  const isTrace = typeof cause === "string" && cause.includes("\n")
  const shownFields = Object.entries(isTrace || cause === undefined ? fields : { ...fields, cause })
  const line = [
    entry.date.toISOString().slice(11, 19),
    entry.logLevel.toUpperCase().padEnd(5),
    messageOf(entry),
    ...shownFields.map(([name, value]) => `${name}=${shown(value)}`)
  ].join(" ")
  return isTrace ? `${line}\n${cause.replaceAll(/^/gm, "  ")}` : line
}
