import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { Redacted } from "effect"
import type { DatabaseTarget } from "#sql/Database"
import { freshDatabase } from "./databases.ts"

/** A certificate of this machine and its key, for tests only. */
export const localCertificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUIeZTrAfRL28vZx/FtHd6wtsdq4QwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzIyMjQyNVoYDzIxMjYxMDMw
MjIyNDI1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS3upOhJ4wsJy3rVnRLpqct7kr5DuML9TdtdOP6b36dD3l0S4/TxDEz
SOAygk4gnLtM9JwLhVH0yVyYgzZhM7DBo28wbTAdBgNVHQ4EFgQU2NilSw20NBFh
Zwfq/rlO6OXqjvUwHwYDVR0jBBgwFoAU2NilSw20NBFhZwfq/rlO6OXqjvUwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhANuzS5xtUorfOobzR5gaeycCgsKaGp4Re9Z5W/X5aWO9AiA8
/6mJUBclX1SXr4iO7CBEo8k25LgJXplWDhxINYL6Fw==
-----END CERTIFICATE-----
`

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnZx3E1Z6Xr3O5E7R
J3Y15PcsIZe+45AQFxemNq2Mfc6hRANCAAS3upOhJ4wsJy3rVnRLpqct7kr5DuML
9TdtdOP6b36dD3l0S4/TxDEzSOAygk4gnLtM9JwLhVH0yVyYgzZhM7DB
-----END PRIVATE KEY-----
`

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address() as AddressInfo
  return address.port
}

/** PostgreSQL's response to a request for TLS, if it supports TLS. */
const HAS_TLS = "S"

/** PostgreSQL behind a proxy with TLS. */
const withTls = (target: URL) =>
  createServer((client) => {
    client.on("error", () => client.destroy())
    client.once("data", () => {
      client.write(HAS_TLS)
      const encrypted = new TLSSocket(client, { isServer: true, key, cert: localCertificate })
      const upstream = connect(Number(target.port), target.hostname)
      encrypted.pipe(upstream).pipe(encrypted)
      for (const socket of [encrypted, upstream]) {
        socket
          .on("error", () => socket.destroy())
          .once("close", () => [encrypted, upstream].map((each) => each.destroy()))
      }
    })
  })

/**
 * PostgreSQL behind a proxy that can be cut off, or fall silent with open connections. `tls` adds a TLS proxy with
 * `localCertificate`. `url` is the database, by default a fresh one.
 */
export const severablePostgres = async ({
  tls = false,
  url
}: {
  readonly tls?: boolean
  readonly url?: string
} = {}) => {
  const database: DatabaseTarget =
    url === undefined ? await freshDatabase() : { _tag: "Postgres", url: Redacted.make(url) }
  const target = new URL(database._tag === "Postgres" ? Redacted.value(database.url) : "")
  const front = tls ? withTls(target) : undefined
  let port = front === undefined ? Number(target.port) : await listen(front)
  /** The open connections. */
  const clients = new Set<Socket>()
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  /** The proxy cuts a connection that sends this text. */
  let fatal: string | undefined
  /** Connections that are dead because the network has dropped some of their packets. */
  const lost = new WeakSet<Socket>()
  let isDropping = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(port, target.hostname)
    clients.add(client)
    const drops = () => {
      if (isDropping) lost.add(client)
      return lost.has(client)
    }
    client.on("data", (sent) => {
      if (fatal !== undefined && sent.includes(fatal)) client.destroy()
      else if (!drops()) upstream.write(sent)
    })
    upstream.on("data", (answer) => drops() || isSilent || client.write(answer))
    client.once("close", () => {
      clients.delete(client)
      upstream.destroy()
    })
    upstream.once("end", () => client.end())
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy())
    }
    return client
  })
  const through = new URL(target)
  through.host = `127.0.0.1:${await listen(server)}`
  if (tls) through.searchParams.set("sslmode", "require")
  return {
    url: through.href,
    pooler: (database._tag === "Postgres" ? database.pooler : undefined) ?? "none",
    /** The number of open connections. */
    open: () => clients.size,
    /** The same database without the proxy. */
    direct: target.href,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    /** Accepts everything and never responds, like a frozen server. */
    silence: () => {
      isSilent = true
    },
    /** Directs new connections to another server. Existing connections stay. */
    leadTo: (url: string) => {
      port = Number(new URL(url).port)
    },
    /** Cuts a connection that sends this text, before the server receives it. */
    cutAt: (text: string) => {
      fatal = text
    },
    /** Drops everything in both directions, like a network that loses packets. Affected connections stay dead. */
    drop: () => {
      isDropping = true
    },
    mend: () => {
      isCut = false
      isSilent = false
      fatal = undefined
      isDropping = false
    },
    close: () => {
      server.close()
      front?.close()
    }
  }
}
