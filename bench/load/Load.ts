import { connect, type Socket } from "node:net"

/** A request ready for the wire, and what its answer must be. */
export interface Call {
  readonly request: string
  readonly status: number
  /** Texts that the body must hold. */
  readonly holds: ReadonlyArray<string>
}

/** What a stretch of load brought. */
export interface Outcome {
  readonly seconds: number
  /** One for each right answer, in milliseconds. */
  readonly latencies: ReadonlyArray<number>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** Connections to one server, kept open: each has one request on its way. */
export interface Load {
  readonly run: (milliseconds: number, next: () => Call) => Promise<Outcome>
  readonly close: () => void
}

const headEnd = Buffer.from("\r\n\r\n")

/** One connection. Reads answers with a Content-Length only, which is all that both servers send. */
export class Connection {
  readonly socket: Socket
  private received: Buffer = Buffer.alloc(0)
  private expected = 0
  private bodyAt = 0
  private settle: ((wrong: string | undefined) => void) | undefined
  private call: Call | undefined

  constructor(port: number) {
    this.socket = connect({ host: "127.0.0.1", port, noDelay: true })
    this.socket.on("data", (chunk) => this.read(chunk))
    this.socket.on("error", (error) => this.finish(error.message))
    this.socket.on("close", () => this.finish("the server hung up"))
  }

  /** Sends a call; undefined when its answer was right, else what came. */
  send(call: Call): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.settle = resolve
      this.call = call
      this.received = Buffer.alloc(0)
      this.expected = 0
      if (this.socket.destroyed) this.finish("the server hung up")
      else this.socket.write(call.request)
    })
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    if (this.expected === 0) {
      const end = this.received.indexOf(headEnd)
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(this.received.toString("latin1", 0, end))?.[1]
      if (length === undefined) return this.finish("no content-length")
      this.bodyAt = end + headEnd.length
      this.expected = this.bodyAt + Number(length)
    }
    if (this.received.length >= this.expected) this.finish(this.judge())
  }

  private judge(): string | undefined {
    const { received, bodyAt, call } = this
    const status = Number(received.toString("latin1", 9, 12))
    const right = status === call?.status && call.holds.every((text) => received.includes(text, bodyAt))
    return right ? undefined : `${status} ${received.toString("utf8", bodyAt, bodyAt + 300)}`
  }

  private finish(wrong: string | undefined): void {
    const { settle } = this
    this.settle = undefined
    settle?.(wrong)
  }
}

/** Opens connections to a server. */
export const open = (port: number, count: number): Load => {
  const connections = Array.from({ length: count }, () => new Connection(port))

  const run = async (milliseconds: number, next: () => Call): Promise<Outcome> => {
    const latencies: Array<number> = []
    let wrong = 0
    let firstWrong: string | undefined
    const began = performance.now()
    const keepBusy = async (connection: Connection) => {
      while (performance.now() - began < milliseconds) {
        const sent = performance.now()
        const problem = await connection.send(next())
        if (problem === undefined) {
          latencies.push(performance.now() - sent)
        } else {
          wrong++
          firstWrong ??= problem
          if (connection.socket.destroyed) return
        }
      }
    }
    await Promise.all(connections.map(keepBusy))
    return { seconds: (performance.now() - began) / 1_000, latencies, wrong, firstWrong }
  }
  return { run, close: () => connections.forEach(({ socket }) => socket.destroy()) }
}
