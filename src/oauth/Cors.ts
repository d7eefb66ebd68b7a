import { HttpServerResponse } from "effect/http"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { preflightHeaders } from "#domain/Preflight"

type Headers = Readonly<Record<string, string>>

/** What scripts may read of responses besides the body. */
const exposed = { "access-control-expose-headers": "www-authenticate, retry-after" }

/** For endpoints that need a token that scripts send themselves: any page may read the response. */
export const anyOrigin: Headers = { "access-control-allow-origin": "*", ...exposed }

/** The origin of pages at a URI. A scheme of its own has none: parsers say "null", as browsers do of any frame in a sandbox. */
const originOf = (uri: string): string | undefined => (/^https?:/i.test(uri) ? URL.parse(uri)?.origin : undefined)

type CorsClient = Pick<OAuthClient, "clientType" | "redirectUris" | "registration" | "tokenEndpointAuthMethod">

/** Whether a client may run in browsers. One without a secret that registered itself may, on the very device, too (C195). */
const isInBrowsers = ({ clientType, registration, tokenEndpointAuthMethod }: CorsClient): boolean =>
  clientType === "spa" || (registration !== null && tokenEndpointAuthMethod === "none")

/** The headers for pages on the origins of a client's redirect URIs, if it runs in browsers. Others read no response. */
export const clientOrigin = (client: CorsClient | undefined, origin: string | undefined): Headers => {
  const isOwn =
    client !== undefined && isInBrowsers(client) && client.redirectUris.some((uri) => originOf(uri) === origin)
  return isOwn && origin !== undefined
    ? { "access-control-allow-origin": origin, vary: "origin", ...exposed }
    : { vary: "origin" }
}

/**
 * The response to a preflight request. Which client it is for nobody can tell, and it reveals nothing: whether a page may read the
 * response is said by that one.
 */
export const preflight = (methods: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: preflightHeaders(methods) })
