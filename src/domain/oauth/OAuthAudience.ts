/** The possible audiences of a client's tokens, and those that a request asks for. */
export interface AudienceRequest {
  /** The realm itself, for its userinfo endpoint. */
  readonly issuer: string
  /** The resource servers that are allowed. */
  readonly allowed: ReadonlyArray<string>
  /** The `resource` parameters of the request (RFC 8707). */
  readonly requested: ReadonlyArray<string>
}

/**
 * The audience of an access token: the requested resource servers, else all allowed ones, else the realm itself, which can also
 * be requested. Undefined: a requested resource server is not allowed.
 */
export const audienceOf = ({ issuer, allowed, requested }: AudienceRequest): ReadonlyArray<string> | undefined => {
  if (requested.length === 0) return allowed.length === 0 ? [issuer] : [...new Set(allowed)]
  return requested.every((resource) => resource === issuer || allowed.includes(resource))
    ? [...new Set(requested)]
    : undefined
}
