import { ConnectionFailed, isFailure, TimedOut } from "./Errors.ts"
import type { Prepared } from "./Requests.ts"

/**
 * Why there is no connection: `fetch` says only that it failed, its cause says why, some causes only by a code. Errors of the platform
 * may be of another world than the client, as in Jest, and no `Error` of its own.
 */
const reasonOf = (error: unknown): string => {
  const { cause, message, code }: { cause?: unknown; message?: unknown; code?: unknown } = Object(error)
  if (typeof cause === "object" && cause !== null) return reasonOf(cause)
  return String(message || code || error)
}

/** A limit on the time of an attempt, joined with the signal of its caller. */
export class Deadline {
  readonly controller = new AbortController()
  private readonly request: Prepared
  private readonly timeout: number
  private readonly given: AbortSignal | undefined
  private readonly abort = () => this.controller.abort(this.given?.reason)
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(request: Prepared, timeout: number, given: AbortSignal | undefined) {
    this.request = request
    this.timeout = timeout
    this.given = given
    given?.addEventListener("abort", this.abort, { once: true })
    this.renew()
  }

  /** Begins the time anew. */
  renew() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const message = `${this.origin} did not answer within ${this.timeout / 1_000} seconds.`
      this.controller.abort(new TimedOut({ route: this.request.route, message }))
    }, this.timeout)
  }

  private get origin(): string {
    return new URL(this.request.url).origin
  }

  /** Ends the limit. */
  end() {
    clearTimeout(this.timer)
    this.given?.removeEventListener("abort", this.abort)
  }

  /** What a failure means: the end of the time, the wish of the caller, or a lost connection. */
  explain(error: unknown): unknown {
    if (isFailure(error)) return error
    const { signal } = this.controller
    if (signal.aborted) return signal.reason
    const message = `The connection to ${this.origin} failed (${reasonOf(error)}).`
    return new ConnectionFailed({ route: this.request.route, message, cause: error })
  }
}
