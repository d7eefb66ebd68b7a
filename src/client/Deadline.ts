import { ConnectionFailed, isFailure, TimedOut } from "./Errors.ts"
import type { Prepared } from "./Requests.ts"

/**
 * Returns why a connection failed. The error of `fetch` only reports a failure, while its cause has a message or at
 * least a code. In environments such as Jest, platform errors may not be an `Error` of this realm.
 */
const reasonOf = (error: unknown): string => {
  const { cause, message, code }: { cause?: unknown; message?: unknown; code?: unknown } = Object(error)
  if (typeof cause === "object" && cause !== null) return reasonOf(cause)
  return String(message || code || error)
}

/** The time limit of an attempt, combined with the caller's signal. */
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

  /** Restarts the time limit. */
  renew() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const message = `${this.origin} did not respond within ${this.timeout / 1_000} seconds.`
      this.controller.abort(new TimedOut({ route: this.request.route, message }))
    }, this.timeout)
  }

  private get origin(): string {
    return new URL(this.request.url).origin
  }

  /** Removes the time limit. */
  end() {
    clearTimeout(this.timer)
    this.given?.removeEventListener("abort", this.abort)
  }

  /** Explains a failure: a timeout, an abort by the caller, or a lost connection. */
  explain(error: unknown): unknown {
    if (isFailure(error)) return error
    const { signal } = this.controller
    if (signal.aborted) return signal.reason
    const message = `The connection to ${this.origin} failed (${reasonOf(error)}).`
    return new ConnectionFailed({ route: this.request.route, message, cause: error })
  }
}
