import { connect, createServer, type Socket } from "node:net"
import { freePort } from "../../test/harness/Servers.ts"

/**
 * An address that forwards to one server and can be switched to another. It represents the virtual IP, DNS name or
 * proxy that an operator or Patroni moves during a failover.
 */
export interface TcpSwitch {
  readonly port: number
  /** Forwards new connections to another port, and closes the existing ones. */
  readonly moveTo: (port: number) => void
  readonly stop: () => void
}

/** Starts listening, and forwards connections to a port of this machine. */
export const startTcpSwitch = async (to: number): Promise<TcpSwitch> => {
  let target = to
  const sockets = new Set<Socket>()
  const endAll = () => sockets.forEach((socket) => socket.destroy())
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1")
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.pipe(other)
      socket.on("error", () => socket.destroy())
      socket.once("close", () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    port,
    moveTo: (next) => {
      target = next
      endAll()
    },
    stop: () => {
      server.close()
      endAll()
    }
  }
}
