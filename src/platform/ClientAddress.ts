import { Context, Layer } from "effect"
import ipaddr from "ipaddr.js"

/** What is known of where a request comes from: the other end of its connection, and what a proxy says of who is behind. */
export interface Connection {
  readonly peer: string | undefined
  /** `X-Forwarded-For`: each proxy puts at its end who has called it. */
  readonly forwardedFor: string | undefined
}

/** Who a request comes from. */
export interface Client {
  /** The address in its one spelling; null where nothing is known of it. */
  readonly ip: string | null
  /** What is counted by: the address, of IPv6 the network of 64 bits that one household has. */
  readonly key: string
}

/** Addresses that begin alike: all in the form of IPv6, IPv4 among them as it is mapped there. */
interface Range {
  readonly first: ipaddr.IPv6
  readonly bits: number
}

/** Longer than any spelling of an address with its port: not looked at. */
const MOST_LENGTH = 64

const MAPPED_BITS = 96

/** Addresses that nobody has out on the internet, where one's own proxies are. */
const privateRanges: ReadonlySet<string> = new Set([
  "carrierGradeNat",
  "linkLocal",
  "loopback",
  "private",
  "uniqueLocal"
])

const NETWORK_PARTS = 4

const unknown: Client = { ip: null, key: "unknown" }

/** An IPv6 address in brackets, or an IPv4 one, with a port that some proxies add. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(text)?.[1] ?? text

/** The address that a text spells, IPv4 as mapped; a zone means something to one machine only, and is left out. */
const addressIn = (text: string): ipaddr.IPv6 | undefined => {
  const spelled = text.length > MOST_LENGTH ? "" : withoutPort(text.trim())
  if (!ipaddr.isValid(spelled)) return undefined
  const address = ipaddr.parse(spelled)
  return address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : new ipaddr.IPv6(address.parts)
}

const rangeIn = (text: string): Range | undefined => {
  const [, base = "", length] = /^([\da-f:.]+?)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? []
  const short = ipaddr.IPv4.isValidFourPartDecimal(base)
  if (!short && !ipaddr.IPv6.isValid(base)) return undefined
  const first = addressIn(base)
  const most = short ? 32 : 128
  const bits = length === undefined ? most : Number(length)
  return first === undefined || bits > most ? undefined : { first, bits: short ? bits + MAPPED_BITS : bits }
}

/** Whether a text names an address or, with the length of its prefix, a network: 10.0.0.0/8, 2001:db8::/32. */
export const isAddressRange = (text: string): boolean => rangeIn(text) !== undefined

const clientAt = (address: ipaddr.IPv6): Client => {
  if (address.isIPv4MappedAddress()) {
    const ip = address.toIPv4Address().toString()
    return { ip, key: ip }
  }
  const network = new ipaddr.IPv6(address.parts.map((part, n) => (n < NETWORK_PARTS ? part : 0)))
  return { ip: address.toRFC5952String(), key: `${network.toRFC5952String()}/64` }
}

/** Who requests come from, in one spelling, so that nobody is counted as many (decision 45, SEC-10). */
export class ClientAddress extends Context.Service<
  ClientAddress,
  {
    /** Never fails: where the header can't be read, whoever was well known last is the client. */
    of(connection: Connection): Client
    /** The address of a peer on a private network, or on this machine, that is no proxy of ours; undefined for any other. */
    privateStranger(peer: string | undefined): string | undefined
  }
>()("sallyport/platform/ClientAddress") {
  /** `trustedProxies`: addresses and networks of the proxies whose header is believed; of nobody else it is. */
  static readonly layer = (options: { readonly trustedProxies: ReadonlyArray<string> }) => {
    const proxies = options.trustedProxies.flatMap((text) => rangeIn(text) ?? [])
    const trusts = (address: ipaddr.IPv6) => proxies.some(({ first, bits }) => address.match(first, bits))

    /** From the nearest to the farthest: each is told by the one before, as long as that one is a proxy of ours. */
    const behind = (peer: ipaddr.IPv6, forwardedFor: string): ipaddr.IPv6 => {
      let known = peer
      for (const entry of forwardedFor.split(",").reverse()) {
        const next = trusts(known) ? addressIn(entry) : undefined
        if (next === undefined) return known
        known = next
      }
      return known
    }

    return Layer.succeed(
      ClientAddress,
      ClientAddress.of({
        of: ({ peer, forwardedFor }) => {
          const address = addressIn(peer ?? "")
          return address === undefined ? unknown : clientAt(behind(address, forwardedFor ?? ""))
        },
        privateStranger: (peer) => {
          const address = addressIn(peer ?? "")
          if (address === undefined || trusts(address)) return undefined
          const ip = clientAt(address).ip ?? ""
          return privateRanges.has(ipaddr.process(ip).range()) ? ip : undefined
        }
      })
    )
  }
}
