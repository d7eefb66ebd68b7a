/** What the tokens of a client may be for, and what a request asks of that. */
export interface AudienceRequest {
  /** The realm itself: for its userinfo endpoint. */
  readonly issuer: string
  /** The resource servers that are allowed. */
  readonly allowed: ReadonlyArray<string>
  /** The `resource` parameters of the request (RFC 8707). */
  readonly asked: ReadonlyArray<string>
}

/**
 * Whom an access token is for: the resource servers that are asked for, else all that are allowed, else the realm itself, which
 * may also be asked for. Undefined: one that is asked for is not allowed.
 */
export const audienceOf = ({ issuer, allowed, asked }: AudienceRequest): ReadonlyArray<string> | undefined => {
  if (asked.length === 0) return allowed.length === 0 ? [issuer] : [...new Set(allowed)]
  return asked.every((resource) => resource === issuer || allowed.includes(resource)) ? [...new Set(asked)] : undefined
}
