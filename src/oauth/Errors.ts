import { HttpServerResponse } from "effect/http"
import type { RateLimited } from "#domain/Limit"
import { type OAuthRefused, oauthErrorOf } from "#domain/oauth/OAuthProblem"

/** The statuses of error codes other than 400 (RFC 6749 §5.2, RFC 6750 §3.1). */
const statuses: Readonly<Record<string, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 503
}

/** Returns the status of an error response. A request that is too large has the error code of all malformed requests. */
const statusOf = ({ reason }: OAuthRefused, error: string): number =>
  reason === "body_too_large" ? 413 : (statuses[error] ?? 400)

/** Token responses must not be cached (RFC 6749 §5.1). */
export const noStore = { "cache-control": "no-store" }

/** Returns the JSON error response to a rejected OAuth request (RFC 6749 §5.2). */
export const refusalResponse = (
  refused: OAuthRefused,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  const { error, description } = oauthErrorOf(refused)
  return errorResponse(statusOf(refused, error), error, description, headers)
}

/** Returns the response to a rate-limited request. */
export const rateLimitedResponse = (
  { retryAfterSeconds }: RateLimited,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  errorResponse(429, "temporarily_unavailable", "Too many requests.", {
    "retry-after": String(retryAfterSeconds),
    ...headers
  })

/** Returns a JSON error response with the given status and error code. */
export const errorResponse = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { error, error_description: description },
    { status, headers: { ...noStore, ...headers } }
  )
