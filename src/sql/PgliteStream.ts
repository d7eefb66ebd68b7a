import { Duplex } from "node:stream"
import type { PgliteSession } from "./PgliteSession.ts"

const cancelRequest = 80877102
const encryptionRequests = [80877103, 80877104]
const terminate = 0x58
/** Parse, Bind, Describe, Execute, Close: a later message ends the cycle they belong to. */
const innerMessages: ReadonlyArray<number | undefined> = [0x50, 0x42, 0x44, 0x45, 0x43]

/** How long statements run in a row before the event loop gets its turn, in milliseconds. */
const slice = 8

/** Speaks the PostgreSQL wire protocol with an embedded database, as a socket does with a server. */
export class PgliteStream extends Duplex {
  readonly #session: PgliteSession
  #received: Buffer = Buffer.alloc(0)
  #giveBack: (() => void) | undefined

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
    this.#giveBack?.()
    this.#giveBack = undefined
    done(error)
  }

  async #work(): Promise<void> {
    if (this.#giveBack === undefined) await this.#start()
    let since = performance.now()
    while (this.#giveBack !== undefined) {
      const cycle = this.#shift(cycleLength(this.#received))
      if (cycle === undefined) return
      if (cycle[0] === terminate) {
        this.destroy()
        return
      }
      await this.#run(cycle)
      if (performance.now() - since < slice) continue
      await new Promise((resume) => setImmediate(resume))
      since = performance.now()
    }
  }

  /** Answers what comes before the first statement: messages that have a length and no type. */
  async #start(): Promise<void> {
    while (this.#giveBack === undefined && this.#received.length >= 8) {
      const message = this.#shift(this.#received.readInt32BE(0))
      if (message === undefined) return
      const code = message.readInt32BE(4)
      if (encryptionRequests.includes(code)) {
        this.push("N")
      } else if (code === cancelRequest) {
        // A statement runs to its end before any other message is read: there is never one to cancel.
        this.destroy()
        return
      } else {
        const giveBack = await this.#session.take()
        if (this.destroyed) return giveBack()
        this.#giveBack = giveBack
        await this.#run(message)
      }
    }
  }

  async #run(messages: Buffer): Promise<void> {
    const answer = await this.#session.run(messages)
    if (answer.length > 0 && !this.destroyed) this.push(answer)
  }

  /** Takes that many bytes off what was received, if they are all there. */
  #shift(length: number): Buffer | undefined {
    if (length === 0 || this.#received.length < length) return undefined
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }
}

/** The length of the first whole cycle of messages, or 0: statements run only up to the Sync that ends them. */
const cycleLength = (received: Buffer): number => {
  let at = 0
  while (received.length >= at + 5) {
    const type = received[at]
    at += 1 + received.readInt32BE(at + 1)
    if (at > received.length) return 0
    if (!innerMessages.includes(type)) return at
  }
  return 0
}
