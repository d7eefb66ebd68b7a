import { lookup, Resolver } from "node:dns/promises"
import { isIP, type LookupFunction, connect as openTcp, type Socket } from "node:net"
import { connect as openTls } from "node:tls"
import { Data } from "effect"
import type { buildConnector } from "undici"
import type { NoAnswer } from "#platform/Outbound"
import { isPublicAddress } from "#platform/PublicAddress"

/** An address that a name leads to. */
export interface Resolved {
  readonly address: string
  readonly family: number
}

/** What connections are made of and held to. */
export interface Sockets {
  readonly resolve: (name: string) => Promise<ReadonlyArray<Resolved>>
  readonly isAllowed: (address: string) => boolean
  /** How long opening one may take, in milliseconds. */
  readonly limit: number
  /** The authorities that certificates may come from, as PEM, in place of the well-known ones. */
  readonly ca?: string
}

/** There was no connection. */
export class NotConnected extends Data.TaggedError("NotConnected")<{
  readonly reason: NoAnswer
  readonly cause?: unknown
}> {}

/** Asks the name servers, and neither this machine's own table of hosts nor the thread pool, which hashing shares. */
const resolvePublic = async (name: string): Promise<ReadonlyArray<Resolved>> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  if (four.status === "rejected" && six.status === "rejected") throw four.reason
  const found = (answer: PromiseSettledResult<ReadonlyArray<string>>, family: number) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : []
  return [...found(four, 4), ...found(six, 6)]
}

/** Connections to public addresses only. */
export const publicSockets = { resolve: resolvePublic, isAllowed: isPublicAddress }

/** Connections to wherever this machine can reach. */
export const anySockets = { resolve: (name: string) => lookup(name, { all: true }), isAllowed: () => true }

/** Looks a name up and lets it pass only if all that it leads to is allowed: those very addresses are connected to. */
const checkedLookup =
  ({ resolve, isAllowed }: Sockets): LookupFunction =>
  (name, _options, answer) => {
    resolve(name).then(
      (found) => {
        const addresses = found.map(({ address, family }) => ({ address, family }))
        const reason = addresses.length === 0 ? "unreachable" : "forbidden"
        const allowed = addresses.length > 0 && addresses.every(({ address }) => isAllowed(address))
        return allowed ? answer(null, addresses) : answer(new NotConnected({ reason }), [])
      },
      (cause: unknown) => answer(new NotConnected({ reason: "unreachable", cause }), [])
    )
  }

/**
 * Opens connections for undici. The peer's own address is checked before a byte is written, TLS included; what is still
 * opening ends with `closing`.
 */
export const opener = (sockets: Sockets, closing: AbortSignal): buildConnector.connector => {
  const check = checkedLookup(sockets)
  // Node's own `signal` of a socket would hold on to the socket for as long as the signal lives.
  const opening = new Set<() => void>()
  closing.addEventListener("abort", () => opening.forEach((giveUp) => giveUp()))
  return ({ hostname, port, protocol }, done) => {
    if (closing.aborted) return done(new NotConnected({ reason: "unreachable" }), null)
    const secure = protocol === "https:"
    let settled = false
    const settle = (socket: Socket, error?: Error) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      opening.delete(giveUp)
      if (error === undefined) return done(null, socket)
      socket.destroy()
      done(error instanceof NotConnected ? error : new NotConnected({ reason: "unreachable", cause: error }), null)
    }
    /** Gives up on a socket, whichever of the two it is by then, when something goes wrong with it. */
    const watched = (socket: Socket): Socket =>
      socket
        .on("error", (error) => settle(current, error))
        .on("close", () => settle(current, new NotConnected({ reason: "unreachable" })))
    let current = openTcp({
      host: hostname,
      port: Number(port) || (secure ? 443 : 80),
      lookup: check,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1_000,
      noDelay: true
    })
    const giveUp = () => settle(current, new NotConnected({ reason: "unreachable" }))
    opening.add(giveUp)
    const timer = setTimeout(() => settle(current, new NotConnected({ reason: "timed_out" })), sockets.limit)
    watched(current).once("connect", () => {
      const peer = current.remoteAddress ?? ""
      if (!sockets.isAllowed(peer)) return settle(current, new NotConnected({ reason: "forbidden" }))
      if (!secure) return settle(current)
      const { ca } = sockets
      const servername = isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : ""
      const tls = { host: hostname, servername, ALPNProtocols: ["http/1.1"], ...(ca !== undefined && { ca }) }
      current = openTls({ ...tls, socket: current })
      watched(current).once("secureConnect", () => settle(current))
    })
  }
}
