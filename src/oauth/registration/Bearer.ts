import type { HttpServerRequest } from "effect/http"
import type { OAuthRefused } from "#domain/oauth/OAuthProblem"
import { anyOrigin } from "../Cors.ts"
import { errorResponse, refusalResponse } from "../Errors.ts"

/**
 * Returns the bearer token in the `Authorization` header, or undefined if there is none. Tokens elsewhere in the request are
 * ignored (RFC 6750 §2.1).
 */
export const bearerIn = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1]

/**
 * Returns the response to a rejected registration: 403 if registration is off, 401 with a challenge if the token is missing or
 * wrong.
 */
export const registrationRefusal = (refused: OAuthRefused, realmId: string) => {
  const { reason } = refused
  if (reason === "registration_off") {
    return errorResponse(403, "access_denied", "Clients can't register themselves in this realm.", anyOrigin)
  }
  const response = refusalResponse(refused, anyOrigin)
  return response.status === 401
    ? refusalResponse(refused, { ...anyOrigin, "www-authenticate": `Bearer realm="${realmId}"` })
    : response
}
