import type { Batch } from "./Batches.ts"

/**
 * Tells how far the call under way has come. The service says nothing before it has worked off all rows of a call, and its side of a
 * connection takes many rows ahead, so the pace of the calls before says more than what was sent.
 */
export class CallPace {
  /** How many bytes of the input were read when the call began. */
  from = 0
  #rows = 0
  #bytes = 0
  #sent = 0
  #began = 0
  /** The rows of all calls before, and how long those took. */
  #done = { rows: 0, millis: 0 }

  /** A call begins, for the first time or again. */
  begin({ rows, bytes }: Batch, at: number): void {
    this.#rows = rows
    this.#bytes = bytes
    this.#sent = 0
    this.#began = at
  }

  /** So many bytes were sent. */
  send(bytes: number): void {
    this.#sent += bytes
  }

  /** The call is answered. `read`: how many bytes of the input were read up to here. */
  end(read: number, at: number): void {
    if (this.#rows > 0)
      this.#done = { rows: this.#done.rows + this.#rows, millis: this.#done.millis + at - this.#began }
    this.#rows = 0
    this.from = read
  }

  /** How many rows of the call are probably worked off. */
  rowsAt(at: number): number {
    if (this.#rows === 0 || this.#done.millis === 0) return 0
    const expected = ((at - this.#began) * this.#done.rows) / this.#done.millis
    return Math.floor(Math.min((this.#rows * this.#sent) / this.#bytes, expected))
  }

  /** How long it probably takes until so many rows of the call are worked off; 0 before a call was answered. */
  secondsFor(rows: number, at: number): number {
    if (this.#done.rows === 0) return 0
    return Math.max(0, (rows * this.#done.millis) / this.#done.rows - (at - this.#began)) / 1_000
  }

  /** How many bytes of the input that is, if `read` bytes have been read. */
  readAt(at: number, read: number): number {
    return this.#rows === 0 ? this.from : this.from + ((read - this.from) * this.rowsAt(at)) / this.#rows
  }
}
