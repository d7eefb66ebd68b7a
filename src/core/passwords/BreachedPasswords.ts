import { createHash } from "node:crypto"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { Outbound } from "#platform/Outbound"

/** The time limit for a response, in milliseconds of real time. A user is waiting for it. */
const TIME_LIMIT = 2_000

/** How long a response is cached, in nanoseconds. */
const FRESHNESS_NANOS = 600_000_000_000n

/** The maximum number of cached responses. Each takes about 35 KB. */
const CAPACITY = 50

/** How long lookups pause after a failure, in nanoseconds. */
const PAUSE_NANOS = 30_000_000_000n

/** The number of hexadecimal digits of a password's digest that are sent to the range API. */
const PREFIX_LENGTH = 5

/**
 * Matches a line of a response: the rest of a digest, and how often its password was seen in breaches. Padding lines have a
 * count of 0.
 */
const responseLine = /^([\dA-F]{35}):(\d{1,12})$/i

/** The range API did not respond, or its response can't be read. */
class LookupFailed extends Data.TaggedError("LookupFailed")<{ readonly reason: string }> {}

/** Returns the digest suffixes that a response lists as seen, or undefined if the response is not a list of digests. */
const seenIn = (body: string): ReadonlySet<string> | undefined => {
  const seen = new Set<string>()
  for (const line of body.split(/\r?\n/)) {
    if (line === "") continue
    const [, rest, count] = responseLine.exec(line) ?? []
    if (rest === undefined || count === undefined) return undefined
    if (Number(count) > 0) seen.add(rest.toUpperCase())
  }
  return seen
}

/**
 * Looks passwords up in a range API for data breaches (SEC-140). The API is sent the first five hexadecimal digits of the
 * password's SHA-1 digest, and returns all digests with that prefix. It never receives the password.
 */
export class BreachedPasswords extends Context.Service<
  BreachedPasswords,
  {
    /**
     * Returns whether a password is known from a data breach. If no API is configured or it doesn't respond in time, returns
     * false, because an outage must not keep users from choosing a password. An outage is logged once. Don't call this inside
     * a transaction.
     */
    readonly includes: (password: string) => Effect.Effect<boolean>
  }
>()("sallyport/core/BreachedPasswords") {
  /** `breachedPasswordsUrl` is the URL of the range API, to which `/` and the digits are appended. */
  static readonly layer = ({ breachedPasswordsUrl }: { readonly breachedPasswordsUrl?: string | undefined }) =>
    breachedPasswordsUrl === undefined
      ? Layer.succeed(BreachedPasswords, { includes: () => Effect.succeed(false) })
      : Layer.effect(BreachedPasswords, make(breachedPasswordsUrl))
}

const make = Effect.fnUntraced(function* (address: string) {
  const outbound = yield* Outbound
  const clock = yield* Clock.Clock
  const cached = new Map<string, { readonly seen: ReadonlySet<string>; readonly until: bigint }>()
  let outageSince: bigint | undefined
  let pausedUntil = 0n

  const remember = (prefix: string, seen: ReadonlySet<string>) => {
    const [oldest] = cached.size >= CAPACITY ? cached.keys() : []
    if (oldest !== undefined) cached.delete(oldest)
    cached.set(prefix, { seen, until: clock.monotonicTimeNanosUnsafe() + FRESHNESS_NANOS })
  }

  const request = (prefix: string) =>
    outbound
      .request({
        method: "GET",
        url: `${address}/${prefix}`,
        // Padding hides the number of digests. Otherwise the length of the encrypted response could reveal the range.
        headers: { "add-padding": "true", "user-agent": "sallyport", accept: "text/plain" },
        body: undefined,
        timeLimit: TIME_LIMIT
      })
      .pipe(
        Effect.catchTags({
          OutboundFailed: ({ reason }) => Effect.fail(new LookupFailed({ reason })),
          ResponseTooLarge: () => Effect.fail(new LookupFailed({ reason: "too_large" }))
        }),
        Effect.flatMap(({ status, body }) => {
          const seen = status === 200 ? seenIn(body) : undefined
          return seen === undefined
            ? Effect.fail(new LookupFailed({ reason: status === 200 ? "unreadable" : `status_${status}` }))
            : Effect.succeed(seen)
        })
      )

  const reportRecovery = Effect.suspend(() => {
    if (outageSince === undefined) return Effect.void
    const seconds = Math.round(Number(clock.monotonicTimeNanosUnsafe() - outageSince) / 1e9)
    outageSince = undefined
    return Effect.logInfo("Breached passwords can be looked up again.").pipe(Effect.annotateLogs({ seconds }))
  })

  const reportOutage = ({ reason }: LookupFailed) =>
    Effect.suspend(() => {
      const now = clock.monotonicTimeNanosUnsafe()
      pausedUntil = now + PAUSE_NANOS
      if (outageSince !== undefined) return Effect.void
      outageSince = now
      return Effect.logError("Breached passwords can't be looked up. New passwords are not checked for breaches.").pipe(
        Effect.annotateLogs({ reason })
      )
    })

  const lookUp = (prefix: string) =>
    Effect.suspend(() => {
      if (clock.monotonicTimeNanosUnsafe() < pausedUntil) return Effect.succeed<ReadonlySet<string>>(new Set())
      return request(prefix).pipe(
        Effect.tap((seen) =>
          Effect.andThen(
            Effect.sync(() => remember(prefix, seen)),
            reportRecovery
          )
        ),
        Effect.catchTag("LookupFailed", (failure) => Effect.as(reportOutage(failure), new Set<string>()))
      )
    })

  const includes = Effect.fnUntraced(function* (password: string) {
    const digest = createHash("sha1").update(password).digest("hex").toUpperCase()
    const prefix = digest.slice(0, PREFIX_LENGTH)
    const known = cached.get(prefix)
    const isFresh = known !== undefined && known.until > clock.monotonicTimeNanosUnsafe()
    const seen = isFresh ? known.seen : yield* lookUp(prefix)
    return seen.has(digest.slice(PREFIX_LENGTH))
  })

  return BreachedPasswords.of({ includes })
})
