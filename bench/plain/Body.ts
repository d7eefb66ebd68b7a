import type { IncomingMessage } from "node:http"
import { HttpError } from "./HttpError.ts"

const MAX_BODY_BYTES = 256 * 1_024

export type Members = Readonly<Record<string, unknown>>

/** The origin that a request declares. */
export interface Origin {
  readonly ip: string | null
  readonly client: string | null
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const received = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > MAX_BODY_BYTES) reject(new HttpError(413, null, "body_too_large", "The body is too large."))
      else chunks.push(chunk)
    })
    request.on("end", () => resolve(Buffer.concat(chunks, length).toString("utf8")))
    request.on("error", reject)
  })

/** Reads a JSON body: the members inside the wrapper, and the `request` member next to it. */
export const readBody = async (request: IncomingMessage, wrapper: string) => {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") throw new HttpError(415, null, "unsupported_media_type", "Send JSON.")
  const text = await received(request)
  let members: unknown
  try {
    members = JSON.parse(text)
  } catch {
    throw new HttpError(400, null, "malformed_body", "The body is not JSON.")
  }
  const wrapped = isObject(members) ? members[wrapper] : undefined
  if (!isObject(members) || !isObject(wrapped)) {
    throw new HttpError(400, null, "wrapper_missing", `The body lacks the member ${wrapper}.`)
  }
  const given = members["request"]
  const origin = isObject(given) ? given : {}
  return { wrapped, origin: { ip: textOf(origin, "ip"), client: textOf(origin, "client") } }
}

/** Reads a text member that the database can store. Returns null if the member is absent or blank. */
export const textOf = (members: Members, name: string): string | null => {
  const value = members[name]
  if (value === undefined || value === null) return null
  if (typeof value !== "string" || value.length > 1_024 || value.includes("\0") || !value.isWellFormed()) {
    throw new HttpError(422, name, "invalid", `${name} is not valid.`)
  }
  return value.trim() === "" ? null : value.trim()
}

/** Reads a list of objects. Returns an empty list if the member is absent. */
export const listOf = (members: Members, name: string): ReadonlyArray<Members> => {
  const value = members[name]
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every(isObject)) return value
  throw new HttpError(422, name, "not_list", `${name} must be a list of objects.`)
}
