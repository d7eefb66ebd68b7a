import type { HttpServerRequest } from "effect/http"
import type { RequestOrigin } from "#domain/Event"
import { memberOf } from "#domain/JsonObject"
import { isStorable, isWithin, TEXT_LENGTH } from "#domain/Text"
import type { Query } from "./QueryParameters.ts"
import type { ReadBody } from "./RequestBody.ts"

const storableText = (value: unknown): string | null =>
  typeof value === "string" && isStorable(value) && isWithin(TEXT_LENGTH, value) ? value : null

/** Reads the `request` parameters in the query of a DELETE (C7). */
const inQuery = (query: Query) => {
  const [ip, client] = [query["request[ip]"], query["request[client]"]]
  return ip === undefined && client === undefined ? undefined : { ip, client }
}

/**
 * Returns what a request states about the user that the caller acts for, in the body's `request` member or in the query of a
 * DELETE (`v2.request`). Undefined if it states nothing.
 */
export const statedOrigin = (
  { method }: HttpServerRequest.HttpServerRequest,
  query: Query,
  body: ReadBody | undefined
): RequestOrigin | undefined => {
  const stated = memberOf(body?.members, "request") ?? (method === "DELETE" ? inQuery(query) : undefined)
  return stated === undefined
    ? undefined
    : { ip: storableText(memberOf(stated, "ip")), client: storableText(memberOf(stated, "client")) }
}
