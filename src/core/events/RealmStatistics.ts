import { Context, DateTime, Effect, Layer } from "effect"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import { type Rejected, rejection } from "#domain/Rejected"
import {
  ACTIVE_DAYS,
  type CountedEvent,
  closedDay,
  countedEvents,
  MAX_COUNTED,
  MAX_DAYS,
  MAX_HOURS,
  MAX_MONTHS,
  MIN_STORED_EVENTS,
  noLogins,
  oldestDay,
  type Span,
  type Statistics,
  type StatisticsRequest,
  spansOf
} from "#domain/Statistics"
import { makeAdmission } from "#platform/Admission"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import { StatisticsRepo } from "#store/events/StatisticsRepo"
import { ReadReplica } from "../nodes/ReadReplica.ts"

/**
 * The maximum number of statistics requests handled concurrently, in all workers together, and of waiting requests per worker.
 * They use at most half of the connections for long statements, because readiness checks and heartbeats need those too
 * (SEC-232).
 */
const CONCURRENCY = 2
const QUEUE_LIMIT = 64

const none = { webhooks_delivered: 0, webhooks_failed: 0, mails_sent: 0, mails_failed: 0 }

/** The counted types without logins, whose methods and users are counted, too. */
const otherTypes = Object.values(countedEvents).filter((type) => type !== countedEvents.logins)

/** Counts a realm's activity over time (C206). */
export class RealmStatistics extends Context.Service<
  RealmStatistics,
  {
    read(request: StatisticsRequest): Effect.Effect<Statistics, Rejected, CurrentRealm>
  }
>()("sallyport/core/RealmStatistics") {
  /** `eventRetentionDays` is the deployment's retention period for events. */
  static readonly layer = ({ eventRetentionDays }: { readonly eventRetentionDays: number }) =>
    Layer.effect(
      RealmStatistics,
      Effect.gen(function* () {
        const repo = yield* StatisticsRepo
        const replica = yield* ReadReplica
        const admission = makeAdmission({
          name: "statistics",
          concurrency: shareOf(CONCURRENCY, yield* WorkerCount),
          queueLimit: QUEUE_LIMIT
        })

        /** Returns the event counts of each span. Counts of busy days are stored once the day is over. */
        const eventsOf = Effect.fnUntraced(function* (realm: Realm, spans: ReadonlyArray<Span>, now: number) {
          const oldest = oldestDay(now, Math.min(realm.eventRetentionDays ?? eventRetentionDays, eventRetentionDays))
          const days = spans.map((span) => {
            const day = closedDay(span, now)
            // Don't store counts for days whose events were deleted by retention, or may still be deleted by a pending reset.
            return day !== undefined && day >= oldest && realm.pendingReset === null ? day : undefined
          })
          const closed = days.filter((day) => day !== undefined)
          const found = closed.length === 0 ? [] : yield* repo.storedCounts(realm.id, closed)
          // Earlier releases stored neither users nor methods. Their days are counted again.
          const storedDays = new Set(found.filter(({ logins }) => logins !== null).map(({ day }) => day))
          const stored = found.filter(({ day }) => storedDays.has(day))
          const remaining = spans.flatMap((span, place) => (storedDays.has(days[place] ?? -1) ? [] : [{ span, place }]))
          const remainingSpans = remaining.map(({ span }) => span)
          const rows =
            remainingSpans.length === 0
              ? []
              : [
                  ...(yield* repo.events(realm.id, otherTypes, remainingSpans)),
                  ...(yield* repo.logins(realm.id, remainingSpans))
                ]
          const counts = rows.map((one) => ({ ...one, span: remaining[one.span]?.place ?? 0 }))
          const totals = new Map<number, number>()
          for (const { span, count } of counts) totals.set(span, (totals.get(span) ?? 0) + count)
          const newCounts = counts.flatMap(({ span, ...count }) => {
            const day = days[span]
            return day !== undefined && (totals.get(span) ?? 0) >= MIN_STORED_EVENTS ? [{ ...count, day }] : []
          })
          if (newCounts.length > 0) yield* replica.write(repo.storeCounts(realm.id, newCounts, oldest))
          return [...counts, ...stored.map(({ day, ...count }) => ({ ...count, span: days.indexOf(day) }))]
        })

        const read = Effect.fn("RealmStatistics.read")(function* (request: StatisticsRequest) {
          const realm = yield* CurrentRealm
          const now = (yield* DateTime.now).epochMilliseconds
          const spans = spansOf(request, now)
          if (spans === "not_earlier") return yield* rejection("from", spans)
          const [first, last] = spans === "period_too_long" ? [] : [spans[0], spans.at(-1)]
          if (spans === "period_too_long" || first === undefined || last === undefined) {
            return yield* rejection("from", "period_too_long", {
              days: MAX_DAYS,
              hours: MAX_HOURS,
              months: MAX_MONTHS
            })
          }
          const whole = { from: first.from, until: last.until }
          const daysAgo = (days: number) => DateTime.subtract(DateTime.makeUnsafe(now), { days })
          const [events, deliveries, failingHooks, imports, totals] = yield* admission.runOrDie(
            realm.id,
            Effect.all([
              eventsOf(realm, spans, now),
              repo.deliveries(realm.id, spans),
              repo.failingHooks(realm.id, whole),
              repo.imports(realm.id, spans),
              repo.totals(realm.id, {
                day: daysAgo(ACTIVE_DAYS.day),
                month: daysAgo(ACTIVE_DAYS.month),
                firstUser: firstRetainedId(realm.pendingReset, "user"),
                firstOrg: firstRetainedId(realm.pendingReset, "org")
              })
            ])
          )
          const find = (name: CountedEvent, place: number) =>
            events.find(({ eventType, span }) => eventType === countedEvents[name] && span === place)
          const count = (name: CountedEvent, place: number) => find(name, place)?.count ?? 0
          return {
            from: DateTime.makeUnsafe(whole.from),
            to: DateTime.makeUnsafe(whole.until),
            interval: request.interval,
            truncated:
              events.some((one) => one.count === MAX_COUNTED) ||
              deliveries.some(({ examined: looked }) => looked === MAX_COUNTED),
            totals,
            intervals: spans.map(({ from }, place) => {
              const { users_imported = 0, orgs_imported = 0 } = imports.find(({ span }) => span === place) ?? {}
              const { webhooks_delivered, webhooks_failed, mails_sent, mails_failed } =
                deliveries.find(({ span }) => span === place) ?? none
              return {
                from: DateTime.makeUnsafe(from),
                logins: count("logins", place),
                ...(find("logins", place)?.logins ?? noLogins),
                failed_logins: count("failed_logins", place),
                blocked_users: count("blocked_users", place),
                users_created: count("users_created", place),
                orgs_created: count("orgs_created", place),
                users_imported,
                orgs_imported,
                sessions_ended: count("sessions_ended", place),
                webhooks_delivered,
                webhooks_failed,
                mails_sent,
                mails_failed
              }
            }),
            failingHooks
          }
        })

        return RealmStatistics.of({ read })
      })
    )
}
