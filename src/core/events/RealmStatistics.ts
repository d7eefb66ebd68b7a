import { Context, DateTime, Effect, Layer } from "effect"
import { CurrentRealm } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import {
  type CountedEvent,
  countedEvents,
  MOST_COUNTED,
  MOST_DAYS,
  MOST_HOURS,
  type Statistics,
  type StatisticsRequest,
  spansOf
} from "#domain/Statistics"
import { StatisticsRepo } from "#store/StatisticsRepo"

const none = { webhooks_delivered: 0, webhooks_failed: 0, mails_sent: 0, mails_failed: 0 }

/** What happened in a realm, in numbers (C206). */
export class RealmStatistics extends Context.Service<
  RealmStatistics,
  {
    read(request: StatisticsRequest): Effect.Effect<Statistics, Rejected, CurrentRealm>
  }
>()("sallyport/core/RealmStatistics") {
  static readonly layer = Layer.effect(
    RealmStatistics,
    Effect.gen(function* () {
      const repo = yield* StatisticsRepo

      const read = Effect.fn("RealmStatistics.read")(function* (request: StatisticsRequest) {
        const { id } = yield* CurrentRealm
        const spans = spansOf(request, (yield* DateTime.now).epochMilliseconds)
        if (spans === "not_earlier") return yield* rejected("from", spans)
        const [first, last] = spans === "period_too_long" ? [] : [spans[0], spans.at(-1)]
        if (spans === "period_too_long" || first === undefined || last === undefined) {
          return yield* rejected("from", "period_too_long", { days: MOST_DAYS, hours: MOST_HOURS })
        }
        const whole = { from: first.from, until: last.until }
        const events = yield* repo.events(id, Object.values(countedEvents), spans)
        const deliveries = yield* repo.deliveries(id, spans)
        const count = (name: CountedEvent, place: number) =>
          events.find(({ eventType, span }) => eventType === countedEvents[name] && span === place)?.count ?? 0
        return {
          from: DateTime.makeUnsafe(whole.from),
          to: DateTime.makeUnsafe(whole.until),
          interval: request.interval,
          truncated:
            events.some((one) => one.count === MOST_COUNTED) ||
            deliveries.some(({ looked }) => looked === MOST_COUNTED),
          intervals: spans.map(({ from }, place) => {
            const { webhooks_delivered, webhooks_failed, mails_sent, mails_failed } =
              deliveries.find(({ span }) => span === place) ?? none
            return {
              from: DateTime.makeUnsafe(from),
              logins: count("logins", place),
              failed_logins: count("failed_logins", place),
              blocked_users: count("blocked_users", place),
              users_created: count("users_created", place),
              orgs_created: count("orgs_created", place),
              sessions_ended: count("sessions_ended", place),
              webhooks_delivered,
              webhooks_failed,
              mails_sent,
              mails_failed
            }
          }),
          failingHooks: yield* repo.failingHooks(id, whole)
        }
      })

      return RealmStatistics.of({ read })
    })
  )
}
