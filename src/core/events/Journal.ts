import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { accountMail } from "#domain/AccountNotice"
import { type EventSummary, type HookSubscription, isSubscribed } from "#domain/AppHook"
import { EMAIL_CHANGE_NOTICE } from "#domain/DefaultMail"
import type { Delivery } from "#domain/Delivery"
import {
  type Event,
  EventNotFound,
  type EventType,
  type EventWithToken,
  matchingTypes,
  RequestOrigin,
  type Version
} from "#domain/Event"
import { actorIn, isPerson } from "#domain/EventActor"
import { isId, type NotificationId, type RealmId } from "#domain/Ids"
import type { Locale } from "#domain/Locale"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { VisitorLanguage } from "#domain/VisitorLanguage"
import { IdGenerator } from "#platform/IdGenerator"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import type { StoredEvent } from "#store/events/EventRows"
import { EventsRepo } from "#store/events/EventsRepo"
import { noHooks } from "#store/hooks/ActiveHooks"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { type Guard, noConflict, type Write } from "#store/statements/Writes"
import { NodeClock } from "../nodes/NodeClock.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { countEvents } from "./EventMetrics.ts"
import { type EventQuery, eventFilter } from "./EventQuery.ts"
import type { NewEvent } from "./NewEvent.ts"

/** Writes to the database, and the events to record for them. */
export interface Change<Failure = never> {
  readonly writes: ReadonlyArray<Write<Failure>>
  readonly events: ReadonlyArray<NewEvent>
  /**
   * Event types that are not recorded. Their hooks are looked up anyway, so that the change takes as many statements as one
   * that records them (SEC-14).
   */
  readonly unrecordedTypes?: ReadonlyArray<EventType>
}

const deliveryOf = (
  id: NotificationId,
  event: Event,
  hook: HookSubscription,
  { summary, language }: { readonly summary: EventSummary; readonly language: Locale | null }
): Delivery => ({
  id,
  realmId: event.realmId,
  eventId: event.id,
  hookId: hook.id,
  hookRealmId: hook.realmId,
  hookType: hook.hookType,
  state: "in_progress",
  attempts: 0,
  createdAt: event.eventAt,
  dueAt: DateTime.add(event.eventAt, { seconds: hook.delay }),
  addressedTo: hook.defaultOf === EMAIL_CHANGE_NOTICE ? (summary.previousEmail ?? null) : null,
  language: hook.hookType === "email" ? language : null,
  lastAttemptAt: null,
  lastDestination: null,
  lastResult: null
})

/** Removes the notices to users unless a person made the changes. The owner of an API key notifies the users instead (C152). */
const withoutNotices = (events: ReadonlyArray<NewEvent>, context: Context.Context<never>): ReadonlyArray<NewEvent> =>
  events.every(({ notice }) => notice === undefined) || isPerson(actorIn(context))
    ? events
    : events.map((event) => ({ ...event, notice: undefined }))

/** The log of all changes. Each event is recorded in the same transaction as its change. */
export class Journal extends Context.Service<
  Journal,
  {
    /**
     * Records events of the current realm in order, and a delivery for each subscribed hook. Call this inside the transaction
     * that makes the change.
     */
    record(newEvents: ReadonlyArray<NewEvent>): Effect.Effect<void, RealmNotFound, CurrentRealm>
    /**
     * Makes changes in the current realm in order and records their events, all in one statement. Needs no transaction, but
     * joins one if it is open.
     */
    write<Failure>(changes: ReadonlyArray<Change<Failure>>): Effect.Effect<void, Failure | RealmNotFound, CurrentRealm>
    /** Like `write`, but only if the guard finds a row, which is returned. Otherwise writes nothing and returns undefined. */
    writeIf<Failure, Row extends object, A>(
      guard: Guard<Row, A>,
      changes: ReadonlyArray<Change<Failure>>
    ): Effect.Effect<A | undefined, Failure | RealmNotFound, CurrentRealm>
    /** Like `writeIf`, in any realm or in the account. The guard is optional. */
    writeIn<Failure, Row extends object, A>(
      realmId: RealmId,
      changes: ReadonlyArray<Change<Failure>>,
      guard?: Guard<Row, A>
    ): Effect.Effect<A | undefined, Failure | RealmNotFound>
    /** Records events in another realm than the current one, such as a realm just created or deleted, or in the account. */
    recordIn(realmId: RealmId, newEvents: ReadonlyArray<NewEvent>): Effect.Effect<void, RealmNotFound>
    /** Finds the events with these IDs, in any realm. Used for delivery. */
    findMany(ids: ReadonlyArray<Pick<Event, "realmId" | "id">>): Effect.Effect<ReadonlyArray<EventWithToken>>
    get(id: string, version: Version): Effect.Effect<EventWithToken, EventNotFound, CurrentRealm>
    /** The oldest thousand events after an ID, in all realms. For test mode only. */
    since(id: string): Effect.Effect<ReadonlyArray<EventWithToken>>
    list(query: EventQuery, page: PageOf<"id">): Effect.Effect<Page<EventWithToken>, EventNotFound, CurrentRealm>
  }
>()("sallyport/core/Journal") {
  static readonly layer = Layer.effect(
    Journal,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* EventsRepo
      const tokens = yield* OneTimeTokens
      const invitations = yield* InvitationsRepo
      const deliveries = yield* DeliveriesRepo
      const nodeClock = yield* NodeClock
      const transaction = yield* Transaction
      const wakeUps = yield* WakeUps

      const tokenOf = ({
        realmId,
        tokenId,
        invitationId,
        encryptedToken
      }: StoredEvent): Effect.Effect<string | null> => {
        if (encryptedToken === null) return Effect.succeed(null)
        if (tokenId !== null) return tokens.decrypt(realmId, tokenId, encryptedToken)
        return invitationId === null
          ? Effect.succeed(null)
          : invitations.decryptToken(realmId, invitationId, encryptedToken)
      }

      const decryptToken = Effect.fnUntraced(function* (stored: StoredEvent) {
        const { encryptedToken: _, ...event } = stored
        return { ...event, token: yield* tokenOf(stored) }
      })

      /** Completes new events with the time, the actor and the origin of the request. */
      const eventsOf = (
        realmId: RealmId,
        newEvents: ReadonlyArray<NewEvent>,
        context: Context.Context<never>
      ): ReadonlyArray<Event> => {
        const origin = Context.get(context, RequestOrigin)
        const actor = actorIn(context)
        const eventAt = DateTime.makeUnsafe(Context.get(context, Clock.Clock).currentTimeMillisUnsafe())
        return newEvents.map((newEvent) => ({
          id: ids.makeAt("event", eventAt.epochMilliseconds),
          realmId,
          eventType: newEvent.eventType,
          eventAt,
          userId: newEvent.userId ?? null,
          orgId: newEvent.orgId ?? null,
          membershipId: newEvent.membershipId ?? null,
          invitationId: newEvent.invitationId ?? null,
          sessionId: newEvent.sessionId ?? null,
          authProviderId: newEvent.authProviderId ?? null,
          hookId: newEvent.hookId ?? null,
          appId: newEvent.appId ?? null,
          apiKeyId: newEvent.apiKeyId ?? null,
          actor,
          changed: newEvent.changed ?? [],
          details: newEvent.details ?? {},
          requestIp: origin.ip,
          requestClient: origin.client,
          tokenId: newEvent.tokenId ?? null
        }))
      }

      const deliveriesOf = Effect.fnUntraced(function* (
        summaries: ReadonlyArray<EventSummary>,
        events: ReadonlyArray<Event>,
        hooks: ReadonlyArray<HookSubscription>
      ) {
        const language = yield* VisitorLanguage
        const pending: Array<Delivery> = []
        for (const [index, event] of events.entries()) {
          for (const hook of hooks) {
            const summary = summaries[index] ?? event
            if (!isSubscribed(hook, summary)) continue
            pending.push(deliveryOf(yield* ids.make("notification"), event, hook, { summary, language }))
          }
        }
        return pending
      })

      const insert = Effect.fnUntraced(function* <Failure, Row extends object, A>(
        realmId: RealmId,
        changes: ReadonlyArray<Change<Failure>>,
        guard?: Guard<Row, A>
      ) {
        const context = yield* Effect.context()
        const newEvents = changes.flatMap((change) => withoutNotices(change.events, context))
        const writes = changes.flatMap((change) => change.writes)
        const unrecordedTypes = changes.flatMap((change) => change.unrecordedTypes ?? [])
        if (writes.length === 0 && newEvents.length === 0) return undefined
        const events = eventsOf(realmId, newEvents, context)
        // The clock may have jumped during the request, which would shift due and expiry times by hours.
        yield* nodeClock.ensureRight
        // In an open transaction, a savepoint lets the caller continue after a conflict.
        const mayConflict = writes.some(({ conflictIn }) => conflictIn !== noConflict)
        const run = mayConflict && transaction.isOpenIn(context) ? transaction.run : transaction.runSingle
        // Most event types have no hooks, so try to write without looking for hooks. If there are any, the statement writes
        // nothing and returns them.
        const accountMails = newEvents.flatMap(({ notice }) => (notice === undefined ? [] : [accountMail(notice)]))
        let assumed = noHooks
        while (true) {
          const pending = assumed.hooks.length === 0 ? [] : yield* deliveriesOf(newEvents, events, assumed.hooks)
          const insertion = pending.length === 0 ? [] : [deliveries.insertion(pending)]
          const entry = { guard, writes, events, unrecordedTypes, deliveries: insertion, assumed, accountMails }
          const state = yield* run(repo.insert(realmId, entry))
          if (state === undefined) return yield* new RealmNotFound({ id: realmId })
          if (guard !== undefined && state.guard === undefined) return undefined
          if (state.active.text === assumed.text) {
            if (pending.length > 0) yield* wakeUps.wake("DeliverHooks")
            yield* transaction.afterCommit(countEvents(events))
            return state.guard
          }
          assumed = state.active
        }
      })

      const recordIn = (realmId: RealmId, events: ReadonlyArray<NewEvent>) =>
        Effect.asVoid(insert<never, object, never>(realmId, [{ writes: [], events }]))

      const writeIf = <Failure, Row extends object, A>(guard: Guard<Row, A>, changes: ReadonlyArray<Change<Failure>>) =>
        Effect.flatMap(CurrentRealm, ({ id }) => insert(id, changes, guard))

      const write = <Failure>(changes: ReadonlyArray<Change<Failure>>) =>
        Effect.flatMap(CurrentRealm, ({ id }) => Effect.asVoid(insert<Failure, object, never>(id, changes)))

      const get = Effect.fn("Journal.get")(function* (id: string, version: Version) {
        const realm = yield* CurrentRealm
        const event = isId("event", id) ? yield* repo.find(realm.id, id, yield* DateTime.now) : undefined
        if (event === undefined || !matchingTypes(version, [""]).includes(event.eventType)) {
          return yield* new EventNotFound({ id })
        }
        return yield* decryptToken(event)
      })

      const list = Effect.fn("Journal.list")(function* (query: EventQuery, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "event", (id) => get(id, query.version))
        const found = pageOf(yield* repo.list(realm.id, eventFilter(query), page, yield* DateTime.now), page.maxResults)
        return { items: yield* Effect.forEach(found.items, decryptToken), more: found.more }
      })

      return Journal.of({
        record: (newEvents) => Effect.flatMap(CurrentRealm, (realm) => recordIn(realm.id, newEvents)),
        write,
        writeIf,
        writeIn: insert,
        recordIn,
        findMany: Effect.fnUntraced(function* (ids) {
          return yield* Effect.forEach(yield* repo.findMany(ids, yield* DateTime.now), decryptToken)
        }),
        get,
        since: Effect.fnUntraced(function* (id) {
          return yield* Effect.forEach(yield* repo.since(id, yield* DateTime.now), decryptToken)
        }),
        list
      })
    })
  )
}
