import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Redacted } from "effect"
import { freshDatabase } from "./databases.ts"

/** PostgreSQL behind a proxy that can be cut off, or fall silent and keep its connections open. */
export const severable = async () => {
  const database = await freshDatabase()
  const target = new URL(database._tag === "Postgres" ? Redacted.value(database.url) : "")
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    client.pipe(upstream)
    upstream.on("data", (answer) => {
      if (!isSilent) client.write(answer)
    })
    upstream.once("end", () => client.end())
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy())
    }
    return client
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const through = new URL(target)
  through.host = `127.0.0.1:${port}`
  return {
    url: through.href,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    /** Everything is taken, and nothing answered, as by a server that is frozen. */
    silence: () => {
      isSilent = true
    },
    mend: () => {
      isCut = false
      isSilent = false
    },
    close: () => server.close()
  }
}
