import { connect, createServer, type Socket } from "node:net"

/** PostgreSQL behind a proxy that records each statement that clients execute, including `BEGIN` and `COMMIT`. */
export interface ObservedPostgres {
  readonly url: string
  /** The statements recorded so far. Tests empty the list before a new count. */
  readonly statements: Array<string>
  readonly close: () => void
}

/** The protocol version 3.0, with which the first message of a normal connection starts. */
const VERSION = 196_608

/** Reads a client's messages from its bytes and records the statements in them. */
const reader = (statements: Array<string>) => {
  const prepared = new Map<string, string>()
  let [pending, isStarted] = [Buffer.alloc(0), false]
  const note = (type: string, [first = "", second = ""]: ReadonlyArray<string>) => {
    if (type === "P") prepared.set(first, second)
    if (type === "B") statements.push(prepared.get(second) ?? second)
    if (type === "Q") statements.push(first)
  }
  return (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (pending.length < head + 4) return
      const length = head + pending.readInt32BE(head)
      if (pending.length < length) return
      const message = pending.subarray(0, length)
      pending = pending.subarray(length)
      if (isStarted) note(message.toString("latin1", 0, 1), message.toString("latin1", 5).split("\0"))
      else isStarted = message.readInt32BE(4) === VERSION
    }
  }
}

/** Puts a proxy in front of the PostgreSQL server at a URL. */
export const observePostgres = async (url: string): Promise<ObservedPostgres> => {
  const target = new URL(url)
  const statements: Array<string> = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const read = reader(statements)
    upstream.pipe(client)
    client.on("data", (chunk: Buffer) => {
      upstream.write(chunk)
      read(chunk)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(one)
      one.once("close", () => other.destroy()).on("error", () => other.destroy())
    }
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  )
  const observed = new URL(url)
  observed.host = `127.0.0.1:${port}`
  return {
    url: observed.href,
    statements,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
