import {
  BadRequest,
  Conflict,
  type ErrorDetail,
  type ErrorFacts,
  type Failure,
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Unauthorized,
  Unavailable,
  UnexpectedAnswer
} from "./Errors.ts"
import type { FetchResponse } from "./Fetch.ts"

const kinds: Readonly<Record<number, new (facts: ErrorFacts) => Failure>> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  422: Invalid,
  429: RateLimited
}

/** The maximum length of an unexpected response's excerpt in an error, in characters. */
const EXCERPT = 200

/** The seconds to wait, from the response's Retry-After header, which contains a number or a date. */
const retryAfterOf = ({ headers }: FetchResponse): number | undefined => {
  const given = headers.get("retry-after")
  if (given === null) return undefined
  const seconds = /^\d+$/.test(given)
    ? Number(given)
    : (Date.parse(given) - Date.parse(headers.get("date") ?? "")) / 1e3
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isText = (value: unknown): value is string => typeof value === "string"

const isDetail = (value: unknown): value is ErrorDetail => isObject(value) && isText(value["code"])

const listOf = <A>(value: unknown, is: (one: unknown) => one is A): ReadonlyArray<A> =>
  Array.isArray(value) ? value.filter(is) : []

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Describes a response that the service didn't send. */
const excerptOf = (response: FetchResponse, text: string): string => {
  const type = response.headers.get("content-type") ?? "no content type"
  const start = text.trim().replace(/\s+/g, " ").slice(0, EXCERPT)
  return `${response.status}, ${type}${start === "" ? "" : `: ${start}`}`
}

const unexpected = (route: string, response: FetchResponse, text: string): Failure => {
  const { status } = response
  const location = response.headers.get("location")
  const message =
    status >= 300 && status < 400
      ? `Redirected to ${location ?? "another URL"}. Set the client's \`url\` to the service's own URL.`
      : `The response is not from the service (${excerptOf(response, text)}). Check the client's \`url\` and any proxies.`
  return new UnexpectedAnswer({ route, message, status, body: text, retryAfter: retryAfterOf(response) })
}

/** The error that a response represents. `text`: its body. */
export const failureOf = (route: string, response: FetchResponse, text: string): Failure => {
  const { status } = response
  const body = parsed(text)
  const errors = isObject(body) ? listOf(body["errors"], isText) : []
  const isFromService = errors.length > 0
  const retryAfter = retryAfterOf(response)
  if (!isFromService && status < 500 && status !== 429) return unexpected(route, response, text)
  const details = isObject(body) ? listOf(body["error_details"], isDetail) : []
  const stated = isObject(body) ? body["request_id"] : undefined
  // A missing route is different from a missing resource, which may exist.
  const isAbsent = details.some(({ code }) => code === "no_such_address")
  const hint = isAbsent ? " Check the client's `url`, or whether the service is older than the client." : ""
  const facts: ErrorFacts = {
    route,
    message: (isFromService ? errors.join(" ") : `The service can't be reached (${excerptOf(response, text)}).`) + hint,
    status,
    errors,
    details,
    requestId: isText(stated) ? stated : (response.headers.get("x-request-id") ?? undefined),
    retryAfter,
    body: body ?? text
  }
  if (isAbsent) return new UnexpectedAnswer(facts)
  const Kind = status >= 500 ? Unavailable : (kinds[status] ?? BadRequest)
  return new Kind(facts)
}

/** Parses JSON as the type in the API description. The text may be empty. */
const parse: <A>(text: string) => A = (text) => (text === "" ? undefined : JSON.parse(text))

/**
 * Parses the content of a successful response as the type in the API description. Newer services may add members.
 * Throws `UnexpectedAnswer` if the content is not JSON.
 */
export const contentOf = <A>(route: string, response: FetchResponse, text: string): A => {
  try {
    return parse(text)
  } catch {
    throw unexpected(route, response, text)
  }
}
