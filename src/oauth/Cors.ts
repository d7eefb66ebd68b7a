import { HttpServerResponse } from "effect/http"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { preflightHeaders } from "#domain/Preflight"

type Headers = Readonly<Record<string, string>>

/** The response headers that scripts may read. */
const exposed = { "access-control-expose-headers": "www-authenticate, retry-after" }

/** Lets pages of any origin read the response: the endpoint requires a token that the script itself sends. */
export const anyOrigin: Headers = { "access-control-allow-origin": "*", ...exposed }

/**
 * The origin of pages at a URI. A custom scheme has none: URL parsers return "null", which is also the origin of any sandboxed
 * frame.
 */
const originOf = (uri: string): string | undefined => (/^https?:/i.test(uri) ? URL.parse(uri)?.origin : undefined)

type CorsClient = Pick<OAuthClient, "clientType" | "redirectUris" | "registration" | "tokenEndpointAuthMethod">

/** Whether a client may run in browsers: a single-page app, or a client that registered itself without a secret (C195). */
const runsInBrowsers = ({ clientType, registration, tokenEndpointAuthMethod }: CorsClient): boolean =>
  clientType === "spa" || (registration !== null && tokenEndpointAuthMethod === "none")

/**
 * The CORS headers for pages on the origins of a browser-based client's redirect URIs. Pages of other origins can't read the
 * response.
 */
export const clientOrigin = (client: CorsClient | undefined, origin: string | undefined): Headers => {
  const isOwn =
    client !== undefined && runsInBrowsers(client) && client.redirectUris.some((uri) => originOf(uri) === origin)
  return isOwn && origin !== undefined
    ? { "access-control-allow-origin": origin, vary: "origin", ...exposed }
    : { vary: "origin" }
}

/**
 * Returns the response to a preflight request. The client is not known yet, so it allows any origin and reveals nothing: the
 * headers of the actual response decide whether a page may read it.
 */
export const preflight = (methods: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: preflightHeaders(methods) })
