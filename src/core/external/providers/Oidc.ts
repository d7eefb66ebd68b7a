import type { OidcProvider } from "#domain/AuthProvider"
import { type Problem, problem } from "#domain/Rejected"
import { asymmetricAlgorithms, type Preset } from "./Preset.ts"
import { memberAt, standardClaims } from "./ProviderClaims.ts"

/** The parts of a discovery document that a login uses (OpenID Connect Discovery §3). */
export interface IssuerMetadata {
  readonly issuer: string
  readonly authorization: string
  readonly token: string
  readonly keys: string
  readonly userinfo: string | undefined
  /** The algorithms of ID tokens that the issuer uses and the service accepts. */
  readonly algorithms: ReadonlyArray<string>
  /** Whether the token endpoint accepts the client secret only in the body. */
  readonly takesSecretInBody: boolean
  /** Whether each authorization response names the issuer (RFC 9207). */
  readonly namesIssuer: boolean
}

const isText = (value: unknown): value is string => typeof value === "string"

const textsIn = (document: unknown, name: string, missing: ReadonlyArray<string>): ReadonlyArray<string> => {
  const value = memberAt(document, name)
  return Array.isArray(value) ? value.filter(isText) : missing
}

const withoutSlash = (url: string) => url.replace(/\/$/, "")

/** The URL of an issuer's discovery document. */
export const discoveryUrl = (issuer: string): string => `${withoutSlash(issuer)}/.well-known/openid-configuration`

/**
 * Reads a discovery document. Returns the problem if it is unusable. `isAllowed` checks the URL of an endpoint. Whether an
 * issuer ends with a slash makes no difference to the URL of its document, so the document decides (C298).
 */
export const readMetadata = (
  issuer: string,
  document: unknown,
  isAllowed: (url: string) => boolean
): IssuerMetadata | Problem => {
  const found = memberAt(document, "issuer")
  if (!isText(found)) return problem(null, "check_no_issuer")
  if (withoutSlash(found) !== withoutSlash(issuer)) return problem(null, "check_other_issuer")
  const urls = ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"].map((name) => {
    const url = memberAt(document, name)
    return { name, url: isText(url) ? url : undefined, isUsable: isText(url) && isAllowed(url) }
  })
  const unusable = urls.find(
    ({ name, url, isUsable }) => !isUsable && (name !== "userinfo_endpoint" || url !== undefined)
  )
  if (unusable !== undefined) {
    const code = unusable.url === undefined ? "check_member_missing" : "check_member_forbidden"
    return problem(null, code, { member: unusable.name })
  }
  const [authorization = "", token = "", keys = "", userinfo] = urls.map(({ url }) => url)
  const used = textsIn(document, "id_token_signing_alg_values_supported", ["RS256"])
  const algorithms = asymmetricAlgorithms.filter((algorithm) => used.includes(algorithm))
  if (algorithms.length === 0) return problem(null, "check_no_algorithm")
  const methods = textsIn(document, "token_endpoint_auth_methods_supported", ["client_secret_basic"])
  return {
    issuer: found,
    authorization,
    token,
    keys,
    userinfo,
    algorithms,
    takesSecretInBody: !methods.includes("client_secret_basic") && methods.includes("client_secret_post"),
    namesIssuer: memberAt(document, "authorization_response_iss_parameter_supported") === true
  }
}

/** Returns the preset of an OpenID Provider. */
export const oidcPreset = (
  { tokenEndpointAuthMethod, responseMode }: OidcProvider,
  { issuer, authorization, token, keys, userinfo, ...metadata }: IssuerMetadata
): Preset => {
  const inBody =
    tokenEndpointAuthMethod === null ? metadata.takesSecretInBody : tokenEndpointAuthMethod === "client_secret_post"
  return {
    endpoints: { authorization, token, keys, ...(userinfo === undefined ? {} : { profile: userinfo }) },
    scopes: ["openid", "email", "profile"],
    supportsPkce: true,
    idTokens: {
      issuer,
      algorithms: metadata.algorithms,
      nonce: true,
      subjectIsProfileId: true,
      containsProfile: true,
      requiresIssuerParameter: metadata.namesIssuer
    },
    clientSecret: inBody ? "post" : "basic",
    responseMode: () => responseMode,
    retryParameters: {},
    claimsOf: standardClaims
  }
}
