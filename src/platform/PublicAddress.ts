import ipaddr from "ipaddr.js"

/** The agent of Azure's hosts: an address of the global range that every virtual machine there has beside it. */
const AZURE_AGENT = "168.63.129.16"

/** Whether anyone on the Internet can have this IP address: global unicast, and no way around to another range. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== "unicast" || address.toString() === AZURE_AGENT) return false
  // Of IPv6 only 2000::/3 is given out; the library calls everything unicast that it knows nothing else of.
  return address instanceof ipaddr.IPv4 || (address.zoneId === undefined && (address.parts[0] ?? 0) >> 13 === 1)
}

/** Names that never leave a network: RFC 6761, RFC 6762 (with its appendix G) and RFC 8375. */
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

/** Whether the host of a URL, a name or an IP address as the URL standard writes it, can be public as far as one sees. */
export const isPublicHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$|\.+$/g, "").toLowerCase()
  if (ipaddr.isValid(host)) return isPublicAddress(host)
  return host.includes(".") && !localNames.some((name) => host === name || host.endsWith(`.${name}`))
}
