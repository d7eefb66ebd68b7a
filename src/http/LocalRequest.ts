import ipaddr from "ipaddr.js"

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback"

/** Whether a `Host` names the machine itself. Any other name may have been led here by somebody else's name server. */
const namesItself = (host: string): boolean => {
  const url = URL.parse(`http://${host}`)
  if (url === null || url.username + url.password + url.search + url.hash !== "" || url.pathname !== "/") return false
  const name = url.hostname.replace(/^\[|\]$|\.$/g, "")
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name)
}

/** What proxies add: behind one, who connects is not who calls. */
const ofProxies = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

/** Whether a call comes from the machine of the service: by the address its connection has, and meant for this machine. */
export const isFromOwnMachine = (
  peer: string | undefined,
  headers: Readonly<Record<string, string | undefined>>
): boolean =>
  peer !== undefined &&
  isLoopback(peer) &&
  namesItself(headers["host"] ?? "") &&
  ofProxies.every((name) => headers[name] === undefined)
