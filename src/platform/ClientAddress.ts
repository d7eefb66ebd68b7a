import { Context, Layer } from "effect"
import ipaddr from "ipaddr.js"

/** The origin of a request: the peer of the connection and the addresses that proxies report. */
export interface Connection {
  readonly peer: string | undefined
  /** The `X-Forwarded-For` header. Each proxy appends the address that called it. */
  readonly forwardedFor: string | undefined
}

/** The client of a request. */
export interface Client {
  /** The address in canonical spelling, or null if unknown. */
  readonly ip: string | null
  /** The key for rate limits: the address or, for IPv6, the /64 network, which usually belongs to one household. */
  readonly key: string
}

/**
 * A peer that is not a trusted proxy. `isPrivate` is whether it is on a private network or this machine, like most
 * operators' proxies.
 */
export interface UntrustedPeer {
  readonly ip: string
  readonly isPrivate: boolean
}

/** A range of addresses. IPv4 ranges are mapped to IPv6. */
interface Range {
  readonly first: ipaddr.IPv6
  readonly bits: number
}

/** The maximum length of a string to parse, longer than any address with a port. */
const MAX_LENGTH = 64

const MAPPED_BITS = 96

/** Ranges that are not routed on the Internet and where operators' proxies usually are. */
const privateRanges: ReadonlySet<string> = new Set([
  "carrierGradeNat",
  "linkLocal",
  "loopback",
  "private",
  "uniqueLocal"
])

const NETWORK_PARTS = 4

const unknown: Client = { ip: null, key: "unknown" }

/** Removes the port that some proxies append to an IPv6 address in brackets or to an IPv4 address. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(text)?.[1] ?? text

/** Parses an address and maps IPv4 to IPv6. The zone is dropped, since it has a meaning on only one machine. */
const addressIn = (text: string): ipaddr.IPv6 | undefined => {
  const cleaned = text.length > MAX_LENGTH ? "" : withoutPort(text.trim())
  if (!ipaddr.isValid(cleaned)) return undefined
  const address = ipaddr.parse(cleaned)
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

/** Returns whether a string is an address or a network in CIDR notation, such as 10.0.0.0/8 or 2001:db8::/32. */
export const isAddressRange = (text: string): boolean => rangeIn(text) !== undefined

const clientAt = (address: ipaddr.IPv6): Client => {
  if (address.isIPv4MappedAddress()) {
    const ip = address.toIPv4Address().toString()
    return { ip, key: ip }
  }
  const network = new ipaddr.IPv6(address.parts.map((part, n) => (n < NETWORK_PARTS ? part : 0)))
  return { ip: address.toRFC5952String(), key: `${network.toRFC5952String()}/64` }
}

/** Determines the address of a request's client in canonical form, so that no client counts as several (C45, SEC-10). */
export class ClientAddress extends Context.Service<
  ClientAddress,
  {
    /**
     * Returns a request's client. Never fails: if the header cannot be parsed, the client is the last address known for
     * certain.
     */
    of(connection: Connection): Client
    /** Returns a peer that is not a trusted proxy. Undefined for a trusted proxy or a peer without an address. */
    untrustedPeer(peer: string | undefined): UntrustedPeer | undefined
  }
>()("sallyport/platform/ClientAddress") {
  /** `trustedProxies` lists addresses and networks of proxies. The `X-Forwarded-For` header of other peers is ignored. */
  static readonly layer = (options: { readonly trustedProxies: ReadonlyArray<string> }) => {
    const proxies = options.trustedProxies.flatMap((text) => rangeIn(text) ?? [])
    const trusts = (address: ipaddr.IPv6) => proxies.some(({ first, bits }) => address.match(first, bits))

    /** Follows the hops from the nearest to the farthest, up to the first one that is not a trusted proxy. */
    const resolveClient = (peer: ipaddr.IPv6, forwardedFor: string): ipaddr.IPv6 => {
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
          return address === undefined ? unknown : clientAt(resolveClient(address, forwardedFor ?? ""))
        },
        untrustedPeer: (peer) => {
          const address = addressIn(peer ?? "")
          const ip = address === undefined || trusts(address) ? null : clientAt(address).ip
          return ip === null ? undefined : { ip, isPrivate: privateRanges.has(ipaddr.process(ip).range()) }
        }
      })
    )
  }
}
