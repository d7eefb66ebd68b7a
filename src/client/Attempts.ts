import { contentOf, failureOf } from "./Answers.ts"
import { Deadline } from "./Deadline.ts"
import { type Failure, isFailure } from "./Errors.ts"
import type { FetchResponse } from "./Fetch.ts"
import type { CallOptions } from "./Form.ts"
import { type Settings, timeoutAndRetries } from "./Options.ts"
import { randomFraction } from "./Randomness.ts"
import { authorization, type Prepared } from "./Requests.ts"

/** The maximum delay that a service can request, in seconds. If it requests a longer one, the call fails immediately. */
const MAX_RETRY_AFTER = 60

/** The first delay between attempts, in milliseconds; it doubles with each attempt, up to the maximum. */
const FIRST_WAIT = 500

const MAX_WAIT = 8_000

const isRetried: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Whether a call may be retried after a failure. */
const isTemporary = ({ status, code, _tag }: Failure): boolean => {
  if (_tag === "ConnectionFailed" || _tag === "TimedOut") return true
  // The previous attempt is still in progress. The next attempt returns its response.
  if (code === "idempotency_key_at_work") return true
  return status !== undefined && isRetried.has(status)
}

/** The delay before the next attempt, in milliseconds: as requested by the service, or else growing, with jitter. */
const waitAfter = ({ retryAfter }: Failure, attempt: number): number => {
  const own = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + randomFraction() / 2)
  return retryAfter === undefined ? own : Math.max(own, retryAfter * 1_000)
}

/** Waits, unless the signal is aborted. */
const sleep = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, millis)
    signal?.addEventListener("abort", abort, { once: true })
  })

/** Makes one attempt. Returns the response and its text. */
const attempt = async (
  settings: Settings,
  request: Prepared,
  timeout: number,
  signal: AbortSignal | undefined
): Promise<{ readonly response: FetchResponse; readonly text: string }> => {
  const headers = { ...(await authorization(settings, request)), ...request.headers }
  const deadline = new Deadline(request, timeout, signal)
  try {
    const { method, body } = request
    const response = await settings.fetch(request.url, {
      method,
      headers,
      redirect: "manual",
      signal: deadline.controller.signal,
      ...(body === undefined ? {} : { body })
    })
    return { response, text: await response.text() }
  } catch (error) {
    throw deadline.explain(error)
  } finally {
    deadline.end()
  }
}

const isDone = ({ status }: FetchResponse, { isRedirect }: Prepared): boolean =>
  (status >= 200 && status < 300) || (isRedirect && status >= 300 && status < 400)

/** The content and headers of a response. */
export interface Answer<A> {
  readonly content: A
  readonly headers: FetchResponse["headers"]
}

/** Makes a call, with as many retries as are allowed and safe. Returns the response's content. */
export const request = async <A>(settings: Settings, prepared: Prepared, options?: CallOptions): Promise<A> =>
  (await answer<A>(settings, prepared, options)).content

/** Like `request`, but also returns the response's headers. */
export const answer = async <A>(
  settings: Settings,
  request: Prepared,
  options: CallOptions = {}
): Promise<Answer<A>> => {
  const { timeout, retries } = timeoutAndRetries(options, settings)
  const { route, isRepeatable, isRedirect } = request
  for (let made = 0; ; made += 1) {
    options.signal?.throwIfAborted()
    let failure: unknown
    try {
      const { response, text } = await attempt(settings, request, timeout, options.signal)
      if (isDone(response, request)) {
        const { headers } = response
        const body = isRedirect ? JSON.stringify({ location: headers.get("location") }) : text
        return { content: contentOf(route, response, body), headers }
      }
      failure = failureOf(route, response, text)
    } catch (error) {
      failure = error
    }
    if (!isFailure(failure) || !isRepeatable || made >= retries || !isTemporary(failure)) throw failure
    if ((failure.retryAfter ?? 0) > MAX_RETRY_AFTER) throw failure
    await sleep(waitAfter(failure, made), options.signal)
  }
}
