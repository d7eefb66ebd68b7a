/** The allowed and requested audiences of a client's token. */
export interface AudienceRequest {
  /** The realm's issuer URL, which is the audience for its userinfo endpoint. */
  readonly issuer: string
  /** The resource servers allowed for the client. */
  readonly allowed: ReadonlyArray<string>
  /** The `resource` parameters of the request (RFC 8707). */
  readonly requested: ReadonlyArray<string>
}

/**
 * The audience of an access token: the requested resource servers, or else all allowed ones, or else the realm itself. The
 * realm can also be requested explicitly. Undefined if a requested resource server is not allowed.
 */
export const audienceOf = ({ issuer, allowed, requested }: AudienceRequest): ReadonlyArray<string> | undefined => {
  if (requested.length === 0) return allowed.length === 0 ? [issuer] : [...new Set(allowed)]
  return requested.every((resource) => resource === issuer || allowed.includes(resource))
    ? [...new Set(requested)]
    : undefined
}
