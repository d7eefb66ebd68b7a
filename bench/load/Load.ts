import { connect, type Socket } from "node:net"

/** A serialized request and the expected response. */
export interface Call {
  readonly request: string
  readonly status: number
  /** Texts that the response body must contain. */
  readonly expectedTexts: ReadonlyArray<string>
}

/** The outcome of a period of load. */
export interface Outcome {
  readonly seconds: number
  /** The latency of each correct response, in milliseconds. */
  readonly latencies: ReadonlyArray<number>
  readonly wrong: number
  /** The wrong responses that were a 503, which asks the caller to retry. */
  readonly shed: number
  readonly firstWrong: string | undefined
}

/** Keep-alive connections to one server, each with one request in flight. */
export interface Load {
  readonly run: (milliseconds: number, next: () => Call) => Promise<Outcome>
  readonly close: () => void
}

const headEnd = Buffer.from("\r\n\r\n")

/** A connection. It reads only responses with a Content-Length, which both servers send. */
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
    this.socket.on("close", () => this.finish("the server closed the connection"))
  }

  /** Sends a call. Returns undefined for a correct response, otherwise the start of the response. */
  send(call: Call): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.settle = resolve
      this.call = call
      this.received = Buffer.alloc(0)
      this.expected = 0
      if (this.socket.destroyed) this.finish("the server closed the connection")
      else this.socket.write(call.request)
    })
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    if (this.expected === 0) {
      const end = this.received.indexOf(headEnd)
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(this.received.toString("latin1", 0, end))?.[1]
      if (length === undefined) return this.finish("no Content-Length")
      this.bodyAt = end + headEnd.length
      this.expected = this.bodyAt + Number(length)
    }
    if (this.received.length >= this.expected) this.finish(this.judge())
  }

  private judge(): string | undefined {
    const { received, bodyAt, call } = this
    const status = Number(received.toString("latin1", 9, 12))
    const right = status === call?.status && call.expectedTexts.every((text) => received.includes(text, bodyAt))
    return right ? undefined : `${status} ${received.toString("utf8", bodyAt, bodyAt + 300)}`
  }

  private finish(wrong: string | undefined): void {
    const { settle } = this
    this.settle = undefined
    settle?.(wrong)
  }
}

/** Opens keep-alive connections to a server. */
export const open = (port: number, count: number): Load => {
  const connections = Array.from({ length: count }, () => new Connection(port))

  const run = async (milliseconds: number, next: () => Call): Promise<Outcome> => {
    const latencies: Array<number> = []
    let wrong = 0
    let shed = 0
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
          if (problem.startsWith("503")) shed++
          firstWrong ??= problem
          if (connection.socket.destroyed) return
        }
      }
    }
    await Promise.all(connections.map(keepBusy))
    return { seconds: (performance.now() - began) / 1_000, latencies, wrong, shed, firstWrong }
  }
  return { run, close: () => connections.forEach(({ socket }) => socket.destroy()) }
}
