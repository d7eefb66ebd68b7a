import { HttpServerResponse } from "effect/http"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { preflightHeaders } from "#domain/Preflight"

type Headers = Readonly<Record<string, string>>

/** The response headers that scripts can read. */
const exposed = { "access-control-expose-headers": "www-authenticate, retry-after" }

/** Allows pages of any origin to read the response, because the endpoint requires a token that the script itself sends. */
export const anyOrigin: Headers = { "access-control-allow-origin": "*", ...exposed }

/**
 * Returns the origin of pages at a URI, or undefined for a custom scheme. URL parsers return "null" for custom schemes, which
 * is also the origin of every sandboxed frame.
 */
const originOf = (uri: string): string | undefined => (/^https?:/i.test(uri) ? URL.parse(uri)?.origin : undefined)

type CorsClient = Pick<OAuthClient, "clientType" | "redirectUris" | "registration" | "tokenEndpointAuthMethod">

/**
 * Returns whether a client can run in browsers: a single-page app, or a client that registered itself without a secret (C195).
 */
const runsInBrowsers = ({ clientType, registration, tokenEndpointAuthMethod }: CorsClient): boolean =>
  clientType === "spa" || (registration !== null && tokenEndpointAuthMethod === "none")

/**
 * The CORS headers that allow pages on the origins of a browser-based client's redirect URIs to read the response. Pages of
 * other origins can't read it.
 */
export const clientOrigin = (client: CorsClient | undefined, origin: string | undefined): Headers => {
  const isOwn =
    client !== undefined && runsInBrowsers(client) && client.redirectUris.some((uri) => originOf(uri) === origin)
  return isOwn && origin !== undefined
    ? { "access-control-allow-origin": origin, vary: "origin", ...exposed }
    : { vary: "origin" }
}

/**
 * Returns the response to a preflight request. It allows any origin, because the client is not known yet, but it contains no
 * data. The headers of the actual response decide whether a page can read that response.
 */
export const preflight = (methods: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: preflightHeaders(methods) })
