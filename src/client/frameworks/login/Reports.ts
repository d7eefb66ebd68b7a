/** The time in milliseconds within which a problem is logged once. */
const QUIET = 60_000

/** The maximum number of different problems that are logged within that time. */
const MAX_PROBLEMS = 10

/** The maximum length of a message. */
const MAX_LENGTH = 500

/** Reports a problem to the developer. `kind`: what problems with texts from requests have in common. */
export type Report = (problem: unknown, kind?: string) => void

/** A text without control characters, which could forge lines of a log. */
const line = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, MAX_LENGTH)

/**
 * Creates a function that logs problems: each at most once a minute, and a limited number altogether, because visitors can
 * cause problems, and choose a part of their text.
 */
export const reports = (log: (message: string) => void, time: () => number): Report => {
  let known = new Set<string>()
  let until = -Infinity
  return (problem, kind) => {
    const message = line(problem instanceof Error ? problem.message : String(problem))
    if (time() >= until) {
      known = new Set()
      until = time() + QUIET
    }
    const key = kind ?? message
    if (known.has(key) || known.size >= MAX_PROBLEMS) return
    known.add(key)
    log(`hostedLogin: ${message}`)
  }
}
