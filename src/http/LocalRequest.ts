import ipaddr from "ipaddr.js"

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback"

/** Whether a `Host` names this machine. Any other name may resolve to this machine through a foreign name server. */
const namesThisMachine = (host: string): boolean => {
  const url = URL.parse(`http://${host}`)
  if (url === null || url.username + url.password + url.search + url.hash !== "" || url.pathname !== "/") return false
  const name = url.hostname.replace(/^\[|\]$|\.$/g, "")
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name)
}

/** The headers that proxies add: behind a proxy, the peer of the connection is not the caller. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

/** Whether a request comes from the service's own machine: by the address of its connection and by its `Host`. */
export const isLocalRequest = (
  peer: string | undefined,
  headers: Readonly<Record<string, string | undefined>>
): boolean =>
  peer !== undefined &&
  isLoopback(peer) &&
  namesThisMachine(headers["host"] ?? "") &&
  proxyHeaders.every((name) => headers[name] === undefined)
