import { KeysUnavailable } from "../DecodeKeys.ts"
import type { AccessToken } from "./AccessToken.ts"
import { type AccessTokenReason, AccessTokenRefused } from "./AccessTokenRefused.ts"
import { proofAlgorithms } from "./Proof.ts"
import { type AccessTokenOptions, verifyAccessToken } from "./VerifyAccessToken.ts"

/** The options of an API that accepts a realm's access tokens. */
export interface ProtectedResourceOptions extends Omit<AccessTokenOptions, "audience" | "scopes"> {
  /** The URL of the API. It is the audience of tokens, and the base of the metadata URL. */
  readonly resource: string
  /** Additional audiences to accept. Default: none. */
  readonly audience?: string | ReadonlyArray<string>
  /** The API's scopes, for its metadata. Default: omitted. */
  readonly scopes?: ReadonlyArray<string>
  /** The display name of the API. */
  readonly name?: string
  /** The URL of its documentation for developers. */
  readonly documentation?: string
}

/** The metadata of a protected resource (RFC 9728 §2). */
export interface ProtectedResourceMetadata {
  readonly resource: string
  readonly authorization_servers: ReadonlyArray<string>
  readonly bearer_methods_supported: ReadonlyArray<"header">
  readonly scopes_supported?: ReadonlyArray<string>
  readonly resource_name?: string
  readonly resource_documentation?: string
  readonly dpop_signing_alg_values_supported?: ReadonlyArray<string>
  readonly dpop_bound_access_tokens_required?: boolean
}

/** The parts of a request that the checks read. */
export interface ResourceRequest {
  readonly method: string
  /** The URL or its path. The host is taken from `resource`, so that no proxy or client can change it. */
  readonly url: string
  /** A header by its lowercase name. */
  readonly header: (name: string) => string | null | undefined
}

/** A response that rejects a request. */
export interface ResourceAnswer {
  readonly status: 401 | 403 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: AccessTokenReason | "keys_unavailable"; readonly message: string }
}

/** An API that accepts a realm's access tokens. */
export interface ProtectedResource {
  /** The JSON document to serve at `metadataUrl`. */
  readonly metadata: ProtectedResourceMetadata
  readonly metadataUrl: string
  /** The path of `metadataUrl`. */
  readonly metadataPath: string
  /** Returns the access token of a request, which must have all of `scopes`. Rejects like `verifyAccessToken`. */
  readonly authenticate: (request: ResourceRequest, ...scopes: ReadonlyArray<string>) => Promise<AccessToken>
  /** The `WWW-Authenticate` header of a rejection (RFC 6750 §3, RFC 9728 §5.1). */
  readonly challenge: (refused: AccessTokenRefused) => string
  /** Returns the response for an error thrown by `authenticate`. Rethrows all other errors. */
  readonly refuse: (error: unknown) => ResourceAnswer
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource"

const CREDENTIALS = /^(bearer|dpop) +([\w~+/.-]+=*)$/i

/** Validates the URL of an API. Throws if clients could not use it. */
const addressOf = (resource: string): URL => {
  const url = URL.canParse(resource) ? new URL(resource) : undefined
  const isSafe = url?.protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "")
  if (url === undefined || !isSafe || url.hash !== "" || resource.includes("#"))
    throw new TypeError("resource must be the https URL of the API, without a fragment.")
  return url
}

/** Quotes a challenge parameter, removing unsafe characters. */
const parameter = (name: string, value: string): string => `${name}="${value.replaceAll(/[^\x20-\x7e]|["\\]/g, "")}"`

/**
 * Makes an API a protected resource (RFC 9728). Clients can discover its realm, send the realm's access tokens, and
 * find out why tokens are rejected.
 *
 *     const api = protectedResource({ resource: "https://api.example.com", issuer: "https://id.example.com/realms/rl_…" })
 */
export const protectedResource = (options: ProtectedResourceOptions): ProtectedResource => {
  const { resource, audience = [], scopes: supported, name, documentation, ...others } = options
  const { requireDpop = false, replays, issuer } = others
  const address = addressOf(resource)
  const metadataPath = `${WELL_KNOWN}${address.pathname === "/" ? "" : address.pathname}${address.search}`
  const metadataUrl = `${address.origin}${metadataPath}`
  const verification: AccessTokenOptions = { ...others, audience: [resource, audience].flat() }
  const takesProofs = replays !== undefined
  const schemes = [...(requireDpop ? [] : ["Bearer"]), ...(takesProofs ? ["DPoP"] : [])]

  const challenge = ({ reason, error, message, scopes }: AccessTokenRefused): string => {
    const common = [
      ...(error === undefined ? [] : [parameter("error", error), parameter("error_description", message)]),
      ...(scopes.length === 0 ? [] : [parameter("scope", scopes.join(" "))]),
      parameter("resource_metadata", metadataUrl)
    ]
    // Errors in a proof are reported only in the DPoP challenge.
    const challenged = reason.startsWith("proof_") && takesProofs ? ["DPoP"] : schemes
    return challenged
      .map((scheme) => [...common, ...(scheme === "DPoP" ? [parameter("algs", proofAlgorithms.join(" "))] : [])])
      .map((parameters, at) => `${challenged[at]} ${parameters.join(", ")}`)
      .join(", ")
  }

  return {
    metadataUrl,
    metadataPath,
    challenge,

    metadata: {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      ...(supported === undefined ? {} : { scopes_supported: supported }),
      ...(name === undefined ? {} : { resource_name: name }),
      ...(documentation === undefined ? {} : { resource_documentation: documentation }),
      ...(takesProofs ? { dpop_signing_alg_values_supported: proofAlgorithms } : {}),
      ...(requireDpop ? { dpop_bound_access_tokens_required: true } : {})
    },

    authenticate: async ({ method, url, header }, ...scopes) => {
      const [, scheme, token] = CREDENTIALS.exec(header("authorization")?.trim() ?? "") ?? []
      if (scheme === undefined || token === undefined) throw new AccessTokenRefused("token_missing", scopes)
      const path = URL.canParse(url) ? new URL(url).pathname : url
      const request = { method, url: `${address.origin}${path}`, proof: header("dpop") }
      const access = await verifyAccessToken(token, verification, scheme.toLowerCase() === "dpop" ? request : undefined)
      if (!scopes.every((scope) => access.scopes.includes(scope)))
        throw new AccessTokenRefused("insufficient_scope", scopes)
      return access
    },

    refuse: (error) => {
      const json = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }
      if (error instanceof KeysUnavailable) {
        const message = "We can't check access tokens right now. Try again in a moment."
        return { status: 503, headers: { ...json, "retry-after": "5" }, body: { error: "keys_unavailable", message } }
      }
      if (!(error instanceof AccessTokenRefused)) throw error
      const headers = { ...json, "www-authenticate": challenge(error) }
      return { status: error.status, headers, body: { error: error.reason, message: error.message } }
    }
  }
}
