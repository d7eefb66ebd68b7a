import { Context, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import { OUTBOUND_HEADER } from "#platform/Outbound"

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback"

/**
 * Returns whether a URL names this machine. Only well-known names count: any other name could be resolved to this machine by
 * someone else's name server.
 */
const namesThisMachine = ({ hostname }: URL): boolean => {
  const name = hostname.replace(/^\[|\]$|\.$/g, "")
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name)
}

const isLocalHost = (host: string): boolean => {
  const url = URL.parse(`http://${host}`)
  if (url === null || url.username + url.password + url.search + url.hash !== "" || url.pathname !== "/") return false
  return namesThisMachine(url)
}

/** Prefixes of header names that proxies, load balancers and CDNs add. */
const proxyPrefixes = [
  "ali-cdn-",
  "cdn-",
  "cf-",
  "cloudfront-",
  "fastly-",
  "fly-",
  "ngrok-",
  "tailscale-",
  "x-amz-cf-",
  "x-amzn-",
  "x-appengine-",
  "x-arr-",
  "x-azure-",
  "x-cloud-trace-",
  "x-envoy-",
  "x-forwarded",
  "x-goog-",
  "x-ms-",
  "x-original-",
  "x-proxy",
  "x-vercel-"
]

/** Other headers that only proxies add. */
const proxyNames: ReadonlySet<string> = new Set([
  "client-ip",
  "forwarded",
  "forwarded-for",
  "proxy-client-ip",
  "remote-addr",
  "true-client-ip",
  "via",
  "wl-proxy-client-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-coming-from",
  "x-host",
  "x-lb-ip",
  "x-nginx-proxy",
  "x-real-ip",
  "x-real-port",
  "x-remote-addr",
  "x-remote-ip",
  "x-rewrite-url",
  "x-scheme",
  "x-trusted-proxy",
  "x-url-scheme",
  "x-varnish"
])

/** Returns whether only proxies add a header. Behind a proxy, the peer of the connection is not the caller. */
export const isProxyHeader = (given: string): boolean => {
  // Some servers forward header names with underscores.
  const name = given.replaceAll("_", "-")
  return proxyNames.has(name) || proxyPrefixes.some((prefix) => name.startsWith(prefix))
}

type Caller = Pick<HttpServerRequest.HttpServerRequest, "headers" | "peerAddress">

/**
 * Decides whether a request comes from the service's own machine (SEC-248). The request must come from a loopback address,
 * name a loopback host, and have no header that proxies add. If the service has a public URL or trusted proxies, no request
 * counts as local, because behind a plain TCP forwarder every caller has a loopback address. A request that the service sends
 * to a configured URL never counts as local, because a caller chose the URL (SEC-248).
 */
export class LocalRequests extends Context.Service<
  LocalRequests,
  {
    readonly isLocal: (request: Caller) => boolean
  }
>()("sallyport/http/LocalRequests") {
  static readonly layer = (options: {
    readonly publicUrl: string
    readonly trustedProxies: ReadonlyArray<string>
  }): Layer.Layer<LocalRequests> => {
    const isReachedDirectly = options.trustedProxies.length === 0 && namesThisMachine(new URL(options.publicUrl))
    return Layer.succeed(LocalRequests, {
      isLocal: ({ headers, peerAddress }) =>
        isReachedDirectly &&
        Option.exists(peerAddress, isLoopback) &&
        isLocalHost(headers["host"] ?? "") &&
        headers[OUTBOUND_HEADER] === undefined &&
        !Object.keys(headers).some(isProxyHeader)
    })
  }
}
