import { Effect } from "effect"
import { HttpServerError, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { catalogues, formatMessage } from "#api/Messages"
import { type Problem, problem } from "#domain/Rejected"
import { decodeUtf8, hasUtf8Escapes } from "#domain/Utf8"
import type { RequestContext } from "#platform/RequestContext"
import { errorResponse } from "./Errors.ts"
import { routeTemplateOf } from "./RouteTemplates.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The reason why a request can't be decoded as text. */
export interface EncodingProblem {
  readonly status: 400 | 415
  readonly problem: Problem
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0

const bodyProblem = ({ headers }: Request): string | undefined => {
  const charset = CHARSET.exec(headers["content-type"] ?? "")?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return "unsupported_charset"
  return /^(?:identity)?$/i.test(headers["content-encoding"] ?? "") ? undefined : "compressed_body"
}

/** Decodes a header as UTF-8, or returns undefined if it is not UTF-8. Node passes header bytes as Latin-1 characters. */
const headerText = (value: string): string | undefined => decodeUtf8(Buffer.from(value, "latin1"))

/** Returns the same request with a body that is read as strict UTF-8, even if its URL is rewritten later. */
const withStrictText = (request: Request): Request => {
  const unreadable = new HttpServerError.HttpServerError({
    reason: new HttpServerError.RequestParseError({ request, description: "The body is not UTF-8." })
  })
  const text = Effect.suspend(() => request.arrayBuffer).pipe(
    Effect.flatMap((bytes) => {
      const text = decodeUtf8(bytes)
      const isText = text !== undefined && (!FORM.test(request.headers["content-type"] ?? "") || hasUtf8Escapes(text))
      return isText ? Effect.succeed(text) : Effect.fail(unreadable)
    })
  )
  const modify: Request["modify"] = (options) => withStrictText(request.modify(options))
  return Object.create(request, { text: { value: text }, modify: { value: modify } })
}

/**
 * Makes the reader that every request passes through. It decodes UTF-8 and rejects invalid bytes instead of replacing them
 * (SEC-237). `keys` are headers whose values are used in lookups. `labels` are headers that are only displayed, so they may
 * contain any bytes.
 */
export const requestReader =
  (keys: ReadonlyArray<string>, labels: ReadonlyArray<string>) =>
  (request: Request): Request | EncodingProblem => {
    if (!hasUtf8Escapes(request.url)) return { status: 400, problem: problem(null, "url_not_utf8") }
    const changed: Record<string, string> = {}
    for (const name of [...keys, ...labels]) {
      const value = request.headers[name]
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
      if (value === undefined || /^[\0-\x7f]*$/.test(value)) continue
      const text = headerText(value)
      if (text !== undefined) changed[name] = text
      else if (keys.includes(name)) return { status: 400, problem: problem(null, "header_not_utf8", { header: name }) }
    }
    const hasChanged = Object.keys(changed).length > 0
    const asText = hasChanged ? request.modify({ headers: { ...request.headers, ...changed } }) : request
    if (!hasBody(request)) return asText
    const code = bodyProblem(request)
    return code === undefined ? withStrictText(asText) : { status: 415, problem: problem(null, code) }
  }

/** The response to an undecodable request. OAuth endpoints use the error members of RFC 6749 §5.2, in ASCII. */
export const encodingResponse = (
  { status, problem }: EncodingProblem,
  request: Request,
  context: RequestContext
): HttpServerResponse.HttpServerResponse => {
  const isOAuth = routeTemplateOf(request.url)?.path.startsWith("/realms/") === true
  const oauth = { error: "invalid_request", error_description: formatMessage(catalogues.en, problem) }
  return errorResponse(status, [problem], context, isOAuth ? oauth : {})
}
