import ipaddr from "ipaddr.js"

/** The Azure host agent: an address in a global range that every Azure virtual machine can reach locally. */
const AZURE_AGENT = "168.63.129.16"

/** Whether an IP address is public: global unicast, and not a transition address that maps to another range. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== "unicast" || address.toString() === AZURE_AGENT) return false
  // IANA assigns global IPv6 unicast from 2000::/3 only; the library also reports unassigned ranges as unicast.
  return address instanceof ipaddr.IPv4 || (address.zoneId === undefined && (address.parts[0] ?? 0) >> 13 === 1)
}

/** Names that are never public: RFC 6761, RFC 6762 (with its appendix G) and RFC 8375. */
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

/** Whether the host of a URL can be public: a public IP address, or a name that is not reserved for local use. */
export const isPublicHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$|\.+$/g, "").toLowerCase()
  if (ipaddr.isValid(host)) return isPublicAddress(host)
  return host.includes(".") && !localNames.some((name) => host === name || host.endsWith(`.${name}`))
}
