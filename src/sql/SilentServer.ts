import { connect, type Socket, type TcpNetConnectOpts } from "node:net"
import { Duplex } from "node:stream"

/** The address on which a server listens. */
export type Address = Pick<TcpNetConnectOpts, "host" | "port"> | { readonly path: string }

/** The address in a database URL, as interpreted by the driver. */
export const addressOf = (url: string): Address => {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get("host") ?? (hostname === "" ? "localhost" : decodeURIComponent(hostname))
  const number = Number(searchParams.get("port") ?? (port === "" ? "5432" : port))
  if (host.startsWith("/")) return { path: `${host}/.s.PGSQL.${number}` }
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: number }
}

/** Returns whether a database URL requests TLS, even if only when the server supports it. */
export const isEncrypted = (url: string): boolean =>
  (URL.parse(url)?.searchParams.get("sslmode") ?? "disable") !== "disable"

/** How many times a socket waiting for a response is checked within the time limit. */
const CHECKS = 10

const KEEP_ALIVE_MILLIS = 30_000

/** Closes a connection if a response takes longer than `limit` milliseconds. */
class Watch {
  readonly #socket: Socket
  readonly #limit: number
  /** Since when a response is due, or undefined if none is. */
  #owesSince: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket, limit: number) {
    this.#socket = socket
    this.#limit = limit
    socket.once("close", () => clearInterval(this.#timer))
  }

  sent(): void {
    this.#owesSince ??= performance.now()
    this.#timer ??= setInterval(() => this.#check(), this.#limit / CHECKS).unref()
  }

  answered(): void {
    this.#owesSince = undefined
  }

  #isOverdue(): boolean {
    return this.#owesSince !== undefined && performance.now() - this.#owesSince >= this.#limit
  }

  #check(): void {
    // If this process was suspended, the response may have arrived without being read yet.
    if (this.#isOverdue()) setImmediate(() => this.#isOverdue() && this.#cut())
  }

  #cut(): void {
    this.#socket.destroy(new Error(`The database has not responded for ${Math.round(this.#limit / 1000)} seconds.`))
  }
}

/** A socket as a byte stream. TLS directly on the socket would bypass the watch. */
class WatchedStream extends Duplex {
  readonly #socket: Socket
  readonly #watch: Watch

  constructor(socket: Socket, watch: Watch) {
    super()
    this.#socket = socket
    this.#watch = watch
    socket
      .on("data", (bytes) => {
        watch.answered()
        if (!this.push(bytes)) socket.pause()
      })
      .on("end", () => this.push(null))
      .on("error", (error) => this.destroy(error))
      .on("close", () => this.destroy())
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#watch.sent()
    this.#socket.write(bytes, done)
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}

/**
 * A connection that is closed if the server sends nothing for `limit` milliseconds after it was sent something (C101). The
 * server may be frozen or cut off from the network. All statements waiting on the connection then fail, and the pool opens
 * another one.
 */
export const openWatched = (address: Address, limit: number, encrypted: boolean): Duplex => {
  const socket = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MILLIS })
  const watch = new Watch(socket, limit)
  if (encrypted) return new WatchedStream(socket, watch)
  socket.write = new Proxy(socket.write, {
    apply: (write, self, sent) => {
      watch.sent()
      return Reflect.apply(write, self, sent)
    }
  })
  socket.on("data", () => watch.answered())
  return socket
}
