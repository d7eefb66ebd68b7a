import { Clock, Effect } from "effect"
import type { Failure } from "#client/Errors"
import { isFailure } from "#client/Errors"
import type { EventItem } from "#client/generated/types/EventItem"
import type { ListEvents } from "#client/generated/v2/Events"
import type { Page } from "#client/List"
import { CommandFailed } from "../CommandFailed.ts"
import { printStatus } from "../Output.ts"
import type { Remote } from "../Remote.ts"

/** Events per request. */
const PAGE = 1_000

/** How long after its ID was created an event may still be committed, in milliseconds (C234). */
const SETTLED_AFTER = 300_000

/** The time between two reads of the newest events: at first, and at most while no events come, in milliseconds. */
const PERIOD = { first: 1_000, longest: 4_000 }

/** The time between two reads of all unsettled events, in milliseconds. */
const RESCAN_PERIOD = 10_000

/** The wait before the first attempt to reach the service again, and the longest one, in milliseconds. */
const WAIT = { first: 500, longest: 10_000 }

/** Where to start: after an event, at a time in Unix seconds, or (with neither) now. */
export interface FeedStart {
  readonly after: string | undefined
  readonly since: number | undefined
}

/** Whether a failed call may succeed later, without any change by the user. */
const isTemporary = (failure: Failure): boolean => {
  switch (failure._tag) {
    case "ConnectionFailed":
    case "TimedOut":
    case "Unavailable":
    case "RateLimited":
      return true
    case "UnexpectedAnswer":
      return failure.status !== undefined && failure.status >= 500
    default:
      return false
  }
}

/** The failure of a call that worked before. */
const endOf = (failure: Failure, realmId: string | undefined): CommandFailed | undefined => {
  if (failure._tag === "Unauthorized") {
    return new CommandFailed({
      happened:
        "The service no longer accepts the API key: the key was deleted or has expired, or its realm was deleted.",
      todo: "Use another key."
    })
  }
  if (failure._tag === "NotFound" && realmId !== undefined) {
    return new CommandFailed({ happened: `The realm ${realmId} was deleted.` })
  }
  return undefined
}

/**
 * Reads a realm's events as they happen, forever, and passes each to `handle` once. Waits while the service is away.
 *
 * IDs are created before their transactions commit, so an event may appear after events with later IDs (C234). So all
 * events that are younger than five minutes are read again every ten seconds (C288).
 */
export const followEvents = <E, R>(
  { sallyport, explain, url, realmId }: Remote,
  filter: ListEvents,
  start: FeedStart,
  handle: (event: EventItem) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    /** When each unsettled event was first read, in Unix milliseconds by this machine's clock. */
    const seen = new Map<string, number>()
    /** All events up to this one are settled and handled. */
    let settled = start.after
    /** The latest event that was read. */
    let head = start.after
    let since = start.since
    let isConnected = false

    const list = (query: ListEvents) =>
      Effect.tryPromise({
        try: async (signal): Promise<Page<EventItem>> =>
          sallyport.events.list({ max_results: PAGE, ...filter, ...query }, { signal }),
        catch: (error) => error
      })

    const pageOf = Effect.fnUntraced(function* (query: ListEvents) {
      let wait = WAIT.first
      let isAway = false
      for (;;) {
        const page = yield* list(query).pipe(
          Effect.catch((error) =>
            Effect.gen(function* () {
              const end = isFailure(error) && isConnected ? endOf(error, realmId) : undefined
              if (end !== undefined) return yield* end
              const failed = yield* explain(error)
              // At the start, the URL is more likely to be wrong than the service to be restarting.
              if (!isFailure(error) || !isConnected || !isTemporary(error)) return yield* failed
              if (!isAway) yield* printStatus(`${failed.happened} Waiting…`)
              isAway = true
              yield* Effect.sleep(Math.max(wait, (error.retryAfter ?? 0) * 1_000))
              wait = Math.min(wait * 2, WAIT.longest)
              return undefined
            })
          )
        )
        if (page === undefined) continue
        if (isAway) yield* printStatus(`The service at ${url} is back.`)
        isConnected = true
        return page
      }
    })

    const after = (id: string | undefined): ListEvents => ({
      direction: "asc",
      ...(id === undefined ? (since === undefined ? {} : { created_at_after: since }) : { after: id })
    })

    /** Handles the events of a page that are new. Returns how many there were. */
    const handleNew = Effect.fnUntraced(function* (events: ReadonlyArray<EventItem>) {
      const fresh = events.filter(({ id }) => !seen.has(id))
      for (const event of fresh) {
        seen.set(event.id, yield* Clock.currentTimeMillis)
        yield* handle(event)
      }
      return fresh.length
    })

    const readNewest = Effect.gen(function* () {
      let count = 0
      for (;;) {
        const { items, more_results } = yield* pageOf(after(head))
        head = items.at(-1)?.id ?? head
        count += yield* handleNew(items)
        if (!more_results) return count
      }
    })

    const rescan = Effect.gen(function* () {
      const settledBefore = (yield* Clock.currentTimeMillis) - SETTLED_AFTER
      let from = settled
      let isSettled = true
      for (;;) {
        const { items, more_results } = yield* pageOf(after(from))
        yield* handleNew(items)
        for (const { id } of items) {
          isSettled &&= (seen.get(id) ?? Infinity) < settledBefore
          if (!isSettled) break
          settled = id
          seen.delete(id)
        }
        from = items.at(-1)?.id ?? from
        if (!more_results) return
      }
    })

    if (start.after === undefined && since === undefined) {
      const { items } = yield* pageOf({ direction: "desc", max_results: 1 })
      const [newest] = items
      if (newest !== undefined) {
        since = newest.event_at - SETTLED_AFTER / 1_000
        for (let from: string | undefined; ; ) {
          const page = yield* pageOf(after(from))
          for (const { id } of page.items) seen.set(id, yield* Clock.currentTimeMillis)
          from = page.items.at(-1)?.id ?? from
          head = from
          if (!page.more_results) break
        }
      }
    }

    let period = PERIOD.first
    let scannedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const count = yield* readNewest
      period = count > 0 ? PERIOD.first : Math.min(Math.round(period * 1.2), PERIOD.longest)
      if ((yield* Clock.currentTimeMillis) - scannedAt >= RESCAN_PERIOD) {
        yield* rescan
        scannedAt = yield* Clock.currentTimeMillis
      }
      yield* Effect.sleep(period)
    }
  })
