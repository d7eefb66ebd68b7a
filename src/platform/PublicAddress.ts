import ipaddr from "ipaddr.js"

/** The Azure host agent. Its address is in a global range, but every Azure virtual machine can reach it locally. */
const AZURE_AGENT = "168.63.129.16"

/** Returns whether an IP address is public. It must be global unicast and not a transition address that maps to another range. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== "unicast" || address.toString() === AZURE_AGENT) return false
  // IANA assigns global IPv6 unicast addresses only from 2000::/3. The library reports unassigned ranges as unicast too.
  return address instanceof ipaddr.IPv4 || (address.zoneId === undefined && (address.parts[0] ?? 0) >> 13 === 1)
}

/** Names that are never public, according to RFC 6761, RFC 6762 (with its appendix G) and RFC 8375. */
const localNames = [
  "corp",
  "home",
  "home.arpa",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "private"
]

/** Returns whether the host of a URL can be public. It must be a public IP address or a name not reserved for local use. */
export const isPublicHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$|\.+$/g, "").toLowerCase()
  if (ipaddr.isValid(host)) return isPublicAddress(host)
  return host.includes(".") && !localNames.some((name) => host === name || host.endsWith(`.${name}`))
}
