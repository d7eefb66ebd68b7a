import type { HttpServerRequest } from "effect/http"
import type { OAuthRefused } from "#domain/oauth/OAuthProblem"
import { anyOrigin } from "../Cors.ts"
import { errorResponse, refusalResponse } from "../Errors.ts"

/** The token of a request, which is sent in the header alone (RFC 6750 §2.1). Undefined: it has none of this form. */
export const bearerIn = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1]

/** The response to a registration that may not be: 403 where nobody may, and a challenge where a token is missing or wrong. */
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
