import type { Claims } from "../Claims.ts"
import { isWithin, TEXT_LENGTH } from "../Text.ts"

/** The value of `client_assertion_type` for a signed assertion (RFC 7523 §2.2). */
export const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** The maximum remaining lifetime of an assertion, in seconds. */
export const ASSERTION_SECONDS = 600

/** How far ahead a client's clock may be, in seconds. */
const LEEWAY_SECONDS = 30

/** The expected content of an assertion. `audiences` are the accepted identifiers of the service. */
interface ExpectedAssertion {
  readonly clientId: string
  readonly audiences: ReadonlyArray<string>
  readonly nowSeconds: number
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const isPast = (value: unknown, nowSeconds: number): boolean =>
  value === undefined || (isTime(value) && value <= nowSeconds + LEEWAY_SECONDS)

/** Returns whether an assertion was made by the client itself, is meant for this service, and is valid now (RFC 7523 §3). */
export const isValidAssertion = (claims: Claims, { clientId, audiences, nowSeconds }: ExpectedAssertion): boolean => {
  const { iss, sub, aud, exp, nbf, iat, jti } = claims
  const claimed: ReadonlyArray<unknown> = Array.isArray(aud) ? aud : [aud]
  return (
    iss === clientId &&
    sub === clientId &&
    claimed.some((one) => audiences.some((audience) => audience === one)) &&
    isTime(exp) &&
    exp > nowSeconds &&
    exp <= nowSeconds + ASSERTION_SECONDS &&
    isPast(nbf, nowSeconds) &&
    isPast(iat, nowSeconds) &&
    typeof jti === "string" &&
    jti !== "" &&
    isWithin(TEXT_LENGTH, jti)
  )
}
