import type { Batch } from "./Batches.ts"

/**
 * Estimates the progress of the current call. The service responds only after it has processed all rows, and the
 * connection buffers many rows. The pace of previous calls is therefore a better measure than the number of bytes sent.
 */
export class CallPace {
  /** The number of bytes of the input that had been read when the call began. */
  from = 0
  #rows = 0
  #bytes = 0
  #sent = 0
  #began = 0
  /** The rows and duration of all previous calls. */
  #done = { rows: 0, millis: 0 }

  /** Starts or restarts a call. */
  begin({ rows, bytes }: Batch, at: number): void {
    this.#rows = rows
    this.#bytes = bytes
    this.#sent = 0
    this.#began = at
  }

  /** Adds sent bytes. */
  send(bytes: number): void {
    this.#sent += bytes
  }

  /** Ends a call. `read`: how many bytes of the input have been read. */
  end(read: number, at: number): void {
    if (this.#rows > 0)
      this.#done = { rows: this.#done.rows + this.#rows, millis: this.#done.millis + at - this.#began }
    this.#rows = 0
    this.from = read
  }

  /** The estimated number of processed rows. */
  rowsAt(at: number): number {
    if (this.#rows === 0 || this.#done.millis === 0) return 0
    const expected = ((at - this.#began) * this.#done.rows) / this.#done.millis
    return Math.floor(Math.min((this.#rows * this.#sent) / this.#bytes, expected))
  }

  /** Estimates the seconds until this many rows of the call are processed. Returns 0 until a call has ended. */
  secondsFor(rows: number, at: number): number {
    if (this.#done.rows === 0) return 0
    return Math.max(0, (rows * this.#done.millis) / this.#done.rows - (at - this.#began)) / 1_000
  }

  /** The estimated number of processed bytes of the input, if `read` bytes have been read. */
  readAt(at: number, read: number): number {
    return this.#rows === 0 ? this.from : this.from + ((read - this.from) * this.rowsAt(at)) / this.#rows
  }
}
