import { HttpServerResponse } from "effect/http"
import type { RateLimited } from "#domain/Limit"
import { type OAuthRefused, oauthErrorOf } from "#domain/oauth/OAuthProblem"

/** The statuses of error codes that are not 400 (RFC 6749 §5.2, RFC 6750 §3.1). */
const statuses: Readonly<Record<string, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 503
}

/** Neither stored nor passed on (RFC 6749 §5.1). */
export const noStore = { "cache-control": "no-store" }

/** The JSON error response to an OAuth request that is refused (RFC 6749 §5.2). */
export const refusalResponse = (
  refused: OAuthRefused,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  const { error, description } = oauthErrorOf(refused)
  return errorResponse(statuses[error] ?? 400, error, description, headers)
}

/** The response to a request beyond a limit. */
export const rateLimitedResponse = (
  { retryAfterSeconds }: RateLimited,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  errorResponse(429, "temporarily_unavailable", "Too many requests.", {
    "retry-after": String(retryAfterSeconds),
    ...headers
  })

/** The JSON error response of an OAuth endpoint for what is no matter of the request. */
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
