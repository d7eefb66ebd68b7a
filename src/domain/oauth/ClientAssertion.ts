import type { Claims } from "../Claims.ts"
import { isWithin, TEXT_LENGTH } from "../Text.ts"

/** The value of `client_assertion_type` for a signed assertion (RFC 7523 §2.2). */
export const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** For how long from now on an assertion may be good, in seconds. */
export const ASSERTION_SECONDS = 600

/** How far the clock of a client may be ahead, in seconds. */
const LEEWAY_SECONDS = 30

/** What an assertion must say. `audiences`: what the service may be called in it. */
interface ExpectedAssertion {
  readonly clientId: string
  readonly audiences: ReadonlyArray<string>
  readonly nowSeconds: number
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const isPast = (value: unknown, nowSeconds: number): boolean =>
  value === undefined || (isTime(value) && value <= nowSeconds + LEEWAY_SECONDS)

/** Whether an assertion is one that its client has made of itself, for this service, and for now (RFC 7523 §3). */
export const isAssertionOf = (claims: Claims, { clientId, audiences, nowSeconds }: ExpectedAssertion): boolean => {
  const { iss, sub, aud, exp, nbf, iat, jti } = claims
  const named: ReadonlyArray<unknown> = Array.isArray(aud) ? aud : [aud]
  return (
    iss === clientId &&
    sub === clientId &&
    named.some((one) => audiences.some((audience) => audience === one)) &&
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
