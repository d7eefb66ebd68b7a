/** The result of a refresh, or undefined if it failed. */
interface Result<A> {
  readonly until: number
  readonly outcome: Promise<A | undefined>
}

/** The time in milliseconds after which a failed refresh is tried again. */
const RETRY_AFTER = 10_000

/** The maximum time in milliseconds for which a result is remembered. Refreshed tokens are valid for longer. */
const MAX_AGE = 300_000

/** The maximum number of results that a process remembers. */
const MAX_REMEMBERED = 2_000

/** Shares the result of a refresh among all requests with the same cookie. */
export interface Refreshes<A> {
  /** Returns the result of the cookie's last refresh, or refreshes it. Undefined if that fails. */
  readonly get: (cookie: string, now: number, refresh: () => Promise<A>) => Promise<A | undefined>
  /** Returns the result of the cookie's last refresh, if it is recent. */
  readonly recent: (cookie: string, now: number) => Promise<A | undefined> | undefined
  /** Forgets the result, so that the next request refreshes the cookie. */
  readonly forget: (cookie: string) => void
}

/**
 * Refreshes each cookie at most once within a time, although a browser sends many requests with the same cookie at once.
 * An outage of the service is reported as undefined, because the token in the cookie may still be valid.
 */
export const refreshes = <A>(seconds: number, failed: (error: unknown) => void): Refreshes<A> => {
  const known = new Map<string, Result<A>>()
  const remembered = Math.min(seconds * 1000, MAX_AGE)
  const recent = (cookie: string, now: number) => {
    const found = known.get(cookie)
    return found !== undefined && found.until > now ? found.outcome : undefined
  }
  return {
    recent,
    get: (cookie, now, refresh) => {
      const found = recent(cookie, now)
      if (found !== undefined) return found
      const outcome = refresh().catch((error: unknown) => {
        failed(error)
        known.set(cookie, { until: now + RETRY_AFTER, outcome: Promise.resolve(undefined) })
        return undefined
      })
      // The oldest entries come first.
      known.delete(cookie)
      known.set(cookie, { until: now + remembered, outcome })
      for (const oldest of known.keys()) {
        if (known.size <= MAX_REMEMBERED) break
        known.delete(oldest)
      }
      return outcome
    },
    forget: (cookie) => void known.delete(cookie)
  }
}
