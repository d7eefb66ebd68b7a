import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { parse } from "qs"
import { isBodyTooLarge } from "#api/BodyTooLarge"
import type { BadRequest, Invalid, TooLarge, UnsupportedMediaType } from "#api/Errors"
import { inexactProblems } from "#api/InvalidRequest"
import { readJson } from "#domain/ExactJson"
import { isObject } from "#domain/JsonObject"
import { badRequest, invalid, tooLarge, unsupportedMediaType } from "./Errors.ts"

/** The maximum size of a body, in bytes (C9). */
export const BODY_BYTES = 256 * 1024

/** A decoded body, and the request with its body converted to JSON for the endpoint. */
export interface ReadBody {
  readonly members: Readonly<Record<string, unknown>>
  readonly request: HttpServerRequest.HttpServerRequest
}

const mediaType = (header: string | undefined) => header?.split(";")[0]?.trim().toLowerCase()

/** Replaces the body of a request with JSON. */
export const asJson = (
  request: HttpServerRequest.HttpServerRequest,
  text: string
): HttpServerRequest.HttpServerRequest =>
  Object.create(request, {
    headers: { value: { ...request.headers, "content-type": "application/json" } },
    text: { value: Effect.succeed(text) }
  })

/** Parses form data into an object. A form beyond these limits is rejected, never truncated. */
const parseForm = (text: string): unknown =>
  parse(text, {
    depth: 6,
    strictDepth: true,
    arrayLimit: 1_000,
    parameterLimit: 1_000,
    throwOnLimitExceeded: true,
    plainObjects: true
  })

const FORM = "application/x-www-form-urlencoded"

/** Returns whether a text is a JSON object. Tools such as curl label every body as a form by default. */
const isJson = (text: string): boolean => {
  if (!text.trimStart().startsWith("{")) return false
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

/** Reads a JSON or form-encoded body (C7). Returns undefined if the request has no body. */
export const readBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<ReadBody | undefined, BadRequest | Invalid | TooLarge | UnsupportedMediaType> {
  if (Number(request.headers["content-length"]) > BODY_BYTES) return yield* tooLarge(BODY_BYTES / 1024)
  const text = yield* request.text.pipe(
    Effect.mapError((error) =>
      isBodyTooLarge(error) ? tooLarge(BODY_BYTES / 1024) : badRequest("malformed_body", { format: "UTF-8" })
    )
  )
  if (text.trim() === "") return undefined

  const type = mediaType(request.headers["content-type"])
  if (type === undefined || type === "") return yield* unsupportedMediaType("content_type_missing")
  const isForm = type === FORM
  if (type !== "application/json" && !isForm) return yield* unsupportedMediaType("unsupported_media_type")
  if (isForm && isJson(text)) return yield* badRequest("json_as_form", { type: FORM })

  const format = isForm ? "form data" : "JSON"
  const { value: members, inexact } = yield* Effect.try({
    try: () => (isForm ? { value: parseForm(text), inexact: [] } : readJson(text)),
    catch: () => badRequest("malformed_body", { format })
  })
  if (!isObject(members)) return yield* badRequest("malformed_body", { format: "JSON: it must be an object" })
  if (inexact.length > 0) return yield* invalid(inexactProblems(inexact, "body"))
  return {
    members,
    request: isForm ? asJson(request, JSON.stringify(members)) : request
  }
})
