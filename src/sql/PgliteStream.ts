import { Duplex } from "node:stream"
import type { PgliteSession } from "./PgliteSession.ts"

const CANCEL_REQUEST = 80877102
const ENCRYPTION_REQUESTS = [80877103, 80877104]
const TERMINATE = 0x58
/**
 * The messages of the extended query protocol: Parse, Bind, Describe, Execute, Close. A later message such as Sync ends
 * their cycle.
 */
const EXTENDED_QUERY: ReadonlyArray<number | undefined> = [0x50, 0x42, 0x44, 0x45, 0x43]

/** How long statements may run before the event loop gets a turn for other work. */
const SLICE_MILLIS = 8

/** A stream that connects to an embedded database by the PostgreSQL wire protocol, like a socket to a server. */
export class PgliteStream extends Duplex {
  readonly #session: PgliteSession
  #received: Buffer = Buffer.alloc(0)
  #release: (() => void) | undefined

  constructor(session: PgliteSession) {
    super()
    this.#session = session
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    this.#work().then(
      () => done(),
      (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)))
    )
  }

  override _final(done: (error?: Error | null) => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#release?.()
    this.#release = undefined
    done(error)
  }

  async #work(): Promise<void> {
    if (this.#release === undefined) await this.#start()
    let since = performance.now()
    while (this.#release !== undefined) {
      const cycle = this.#shift(cycleLength(this.#received))
      if (cycle === undefined) return
      if (cycle[0] === TERMINATE) {
        this.destroy()
        return
      }
      await this.#run(cycle)
      if (performance.now() - since < SLICE_MILLIS) continue
      await new Promise((resume) => setImmediate(resume))
      since = performance.now()
    }
  }

  /** Responds to the messages before the first statement. These have a length but no type. */
  async #start(): Promise<void> {
    while (this.#release === undefined && this.#received.length >= 8) {
      const message = this.#shift(this.#received.readInt32BE(0))
      if (message === undefined) return
      const code = message.readInt32BE(4)
      if (ENCRYPTION_REQUESTS.includes(code)) {
        this.push("N")
      } else if (code === CANCEL_REQUEST) {
        // A statement ends before the next message is read, so there is never a statement to cancel.
        this.destroy()
        return
      } else {
        const release = await this.#session.take()
        if (this.destroyed) return release()
        this.#release = release
        await this.#run(message)
      }
    }
  }

  async #run(messages: Buffer): Promise<void> {
    const answer = await this.#session.run(messages)
    if (!this.destroyed) this.push(answer)
  }

  /** Takes `length` bytes from the received ones. Returns undefined if fewer have been received. */
  #shift(length: number): Buffer | undefined {
    if (length === 0 || this.#received.length < length) return undefined
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }
}

/**
 * The length of the first complete cycle of messages, or 0 if it is incomplete. Statements run after the Sync at the end of
 * their cycle is received.
 */
const cycleLength = (received: Buffer): number => {
  let at = 0
  while (received.length >= at + 5) {
    const type = received[at]
    at += 1 + received.readInt32BE(at + 1)
    if (at > received.length) return 0
    if (!EXTENDED_QUERY.includes(type)) return at
  }
  return 0
}
