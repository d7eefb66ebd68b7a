import { lookup, Resolver } from "node:dns/promises"
import { isIP, type LookupFunction, connect as openTcp, type Socket } from "node:net"
import { connect as openTls } from "node:tls"
import { Data } from "effect"
import type { buildConnector } from "undici"
import type { OutboundFailure } from "#platform/Outbound"
import { isPublicAddress } from "#platform/PublicAddress"

/** An address that a name resolves to. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Options for opening connections, and the addresses that are allowed. */
export interface SocketOptions {
  readonly resolve: (name: string) => Promise<ReadonlyArray<ResolvedAddress>>
  readonly isAllowed: (address: string) => boolean
  /** The time limit for opening a connection, in milliseconds. */
  readonly limit: number
  /** The trusted certificate authorities as PEM, instead of Node's own. */
  readonly ca?: string
}

/** No connection could be opened. */
export class NotConnected extends Data.TaggedError("NotConnected")<{
  readonly reason: OutboundFailure
  readonly cause?: unknown
}> {}

/** Resolves a name by DNS. Avoids the machine's hosts file, and the thread pool, which password hashing uses. */
const resolvePublic = async (name: string): Promise<ReadonlyArray<ResolvedAddress>> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  if (four.status === "rejected" && six.status === "rejected") throw four.reason
  const found = (answer: PromiseSettledResult<ReadonlyArray<string>>, family: number) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : []
  return [...found(four, 4), ...found(six, 6)]
}

/** Connects to public addresses only. */
export const publicSockets = { resolve: resolvePublic, isAllowed: isPublicAddress }

/** Connects to any address. */
export const unrestrictedSockets = { resolve: (name: string) => lookup(name, { all: true }), isAllowed: () => true }

/** Resolves a name. Fails unless every address is allowed. The connection uses exactly these addresses. */
const checkedLookup =
  ({ resolve, isAllowed }: SocketOptions): LookupFunction =>
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
 * The connector of an undici agent. It checks the peer's address before it writes a byte, including TLS. Aborting
 * `closing` ends connections that are still being opened.
 */
export const connector = (sockets: SocketOptions, closing: AbortSignal): buildConnector.connector => {
  const check = checkedLookup(sockets)
  // The `signal` option of a socket would retain the socket for as long as the signal exists.
  const opening = new Set<() => void>()
  closing.addEventListener("abort", () => opening.forEach((fail) => fail()))
  return ({ hostname, port, protocol }, done) => {
    if (closing.aborted) return done(new NotConnected({ reason: "unreachable" }), null)
    const secure = protocol === "https:"
    let settled = false
    const settle = (socket: Socket, error?: Error) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      opening.delete(fail)
      if (error === undefined) return done(null, socket)
      socket.destroy()
      done(error instanceof NotConnected ? error : new NotConnected({ reason: "unreachable", cause: error }), null)
    }
    /** Ends the attempt when the current socket, TCP or TLS, fails. */
    const watch = (socket: Socket): Socket =>
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
    const fail = () => settle(current, new NotConnected({ reason: "unreachable" }))
    opening.add(fail)
    const timer = setTimeout(() => settle(current, new NotConnected({ reason: "timed_out" })), sockets.limit)
    watch(current).once("connect", () => {
      const peer = current.remoteAddress ?? ""
      if (!sockets.isAllowed(peer)) return settle(current, new NotConnected({ reason: "forbidden" }))
      if (!secure) return settle(current)
      const { ca } = sockets
      const servername = isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : ""
      const tls = { host: hostname, servername, ALPNProtocols: ["http/1.1"], ...(ca !== undefined && { ca }) }
      current = openTls({ ...tls, socket: current })
      watch(current).once("secureConnect", () => settle(current))
    })
  }
}
