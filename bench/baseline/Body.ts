import type { IncomingMessage } from "node:http"
import { Refusal } from "./HttpError.ts"

const MOST = 256 * 1_024

export type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const received = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > MOST) reject(new Refusal(413, null, "body_too_large", "The body is too large."))
      else chunks.push(chunk)
    })
    request.on("end", () => resolve(Buffer.concat(chunks, length).toString("utf8")))
    request.on("error", reject)
  })

/** The members of a JSON body, and those inside its wrapper. */
export const readBody = async (request: IncomingMessage, wrapper: string) => {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") throw new Refusal(415, null, "unsupported_media_type", "Send JSON.")
  const text = await received(request)
  let members: unknown
  try {
    members = JSON.parse(text)
  } catch {
    throw new Refusal(400, null, "malformed_body", "The body is not JSON.")
  }
  const wrapped = isObject(members) ? members[wrapper] : undefined
  if (!isObject(members) || !isObject(wrapped)) {
    throw new Refusal(400, null, "wrapper_missing", `The body needs the member ${wrapper}.`)
  }
  const asked = members["request"]
  const origin = isObject(asked) ? asked : {}
  return { wrapped, origin: { ip: textOf(origin, "ip"), client: textOf(origin, "client") } }
}

/** A member that is text the database can hold, or null where it is left out or blank. */
export const textOf = (members: Members, name: string): string | null => {
  const value = members[name]
  if (value === undefined || value === null) return null
  if (typeof value !== "string" || value.length > 1_024 || value.includes("\0") || !value.isWellFormed()) {
    throw new Refusal(422, name, "invalid", `${name} is not valid.`)
  }
  return value.trim() === "" ? null : value.trim()
}

/** The objects of a list, none where it is left out. */
export const listOf = (members: Members, name: string): ReadonlyArray<Members> => {
  const value = members[name]
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every(isObject)) return value
  throw new Refusal(422, name, "not_list", `${name} must be a list of objects.`)
}
