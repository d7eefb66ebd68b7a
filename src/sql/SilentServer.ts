import { connect, type Socket, type TcpNetConnectOpts } from "node:net"

/** Where a server listens. */
export type Address = Pick<TcpNetConnectOpts, "host" | "port"> | { readonly path: string }

/** The address in the URL of a database, as the driver reads it. */
export const addressOf = (url: string): Address => {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get("host") ?? (hostname === "" ? "localhost" : decodeURIComponent(hostname))
  const number = Number(searchParams.get("port") ?? (port === "" ? "5432" : port))
  if (host.startsWith("/")) return { path: `${host}/.s.PGSQL.${number}` }
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: number }
}

/** How often a socket that waits for an answer is looked at, as a part of the limit. */
const CHECKS = 10

const KEEP_ALIVE_MILLIS = 30_000

/**
 * A connection to a server that is cut when the server leaves what was sent without any answer for `limit` milliseconds (C101):
 * it is frozen, or cut off from the network. Whatever waits on the connection then fails, and the pool opens another one. Over
 * TLS nothing is seen here but the beginning, and nothing cut.
 */
export const openWatched = (address: Address, limit: number): Socket => {
  const socket = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MILLIS })
  /** Since when the server owes an answer; undefined: it owes none. */
  let owesSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    if (owesSince !== undefined && performance.now() - owesSince >= limit) {
      socket.destroy(new Error(`The database has not answered for ${Math.round(limit / 1000)} seconds.`))
    }
  }
  socket.write = new Proxy(socket.write, {
    apply: (write, self, sent) => {
      owesSince ??= performance.now()
      timer ??= setInterval(check, limit / CHECKS).unref()
      return Reflect.apply(write, self, sent)
    }
  })
  socket.on("data", () => {
    owesSince = undefined
  })
  socket.once("close", () => clearInterval(timer))
  return socket
}
