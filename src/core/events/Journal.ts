import { Context, DateTime, Effect, Layer } from "effect"
import { ADDRESS_NOTICE, type Heard, hears, type Listener } from "#domain/AppHook"
import type { Delivery } from "#domain/Delivery"
import {
  type Event,
  EventNotFound,
  matchingTypes,
  Origin,
  type ReadEvent,
  type Related,
  type relations,
  type Version
} from "#domain/Event"
import { earliestId, isId, type NotificationId, type RealmId } from "#domain/Ids"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { IdGenerator } from "#platform/IdGenerator"
import { WakeUps } from "#platform/WakeUps"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import { EventsRepo, type StoredEvent } from "#store/EventsRepo"
import { InvitationsRepo } from "#store/InvitationsRepo"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** What happened, and to what. */
export interface NewEvent extends Related, Heard {
  /** The id of the one-time token that the event carries. */
  readonly tokenId?: string
}

/** What a reader asks of the journal (decision 35). */
export interface EventQuery {
  readonly version: Version
  /** Left-anchored names, in either version's words; none: every type. */
  readonly eventTypes: ReadonlyArray<string>
  readonly related: { readonly [Relation in (typeof relations)[number]]?: string }
  readonly createdAfter: DateTime.Utc | undefined
}

const deliveryOf = (id: NotificationId, event: Event, hook: Listener, heard: Heard): Delivery => ({
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
  addressedTo: hook.defaultOf === ADDRESS_NOTICE ? (heard.addressBefore ?? null) : null,
  lastAttemptAt: null,
  lastDestination: null,
  lastResult: null
})

/** The record of every change: written in the change's own transaction, read by the callers. */
export class Journal extends Context.Service<
  Journal,
  {
    /**
     * Records events of the current realm, in the order given, and what is to be delivered of each to the hooks that hear
     * it. To be called inside the transaction of the change.
     */
    record(happenings: ReadonlyArray<NewEvent>): Effect.Effect<void, RealmNotFound, CurrentRealm>
    /** The same for a realm that is not the call's: one just created or deleted, or the account. */
    recordIn(realmId: RealmId, happenings: ReadonlyArray<NewEvent>): Effect.Effect<void, RealmNotFound>
    /** The events of these ids, whatever their realms: for whoever delivers them. */
    named(ids: ReadonlyArray<Pick<Event, "realmId" | "id">>): Effect.Effect<ReadonlyArray<ReadEvent>>
    get(id: string, version: Version): Effect.Effect<ReadEvent, EventNotFound, CurrentRealm>
    /** The events after an id, of every realm, the oldest thousand: for test mode only. */
    since(id: string): Effect.Effect<ReadonlyArray<ReadEvent>>
    list(query: EventQuery, page: PageOf<"id">): Effect.Effect<Page<ReadEvent>, EventNotFound, CurrentRealm>
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
      const wakeUps = yield* WakeUps

      const tokenOf = ({ realmId, tokenId, invitationId, sealedToken }: StoredEvent): Effect.Effect<string | null> => {
        if (sealedToken === null) return Effect.succeed(null)
        if (tokenId !== null) return tokens.open(realmId, tokenId, sealedToken)
        return invitationId === null ? Effect.succeed(null) : invitations.openToken(realmId, invitationId, sealedToken)
      }

      const opened = Effect.fnUntraced(function* (stored: StoredEvent) {
        const { sealedToken: _, ...event } = stored
        return { ...event, token: yield* tokenOf(stored) }
      })

      const deliver = Effect.fnUntraced(function* (
        happenings: ReadonlyArray<Heard>,
        events: ReadonlyArray<Event>,
        hooks: ReadonlyArray<Listener>
      ) {
        const heard: Array<Delivery> = []
        for (const [index, event] of events.entries()) {
          for (const hook of hooks) {
            const happening = happenings[index] ?? event
            if (!hears(hook, happening)) continue
            heard.push(deliveryOf(yield* ids.make("notification"), event, hook, happening))
          }
        }
        if (heard.length === 0) return
        yield* deliveries.insert(heard)
        yield* wakeUps.wake("DeliverHooks")
      })

      const recordIn = Effect.fnUntraced(function* (realmId: RealmId, happenings: ReadonlyArray<NewEvent>) {
        const origin = yield* Origin
        const eventAt = yield* DateTime.now
        const events: Array<Event> = []
        for (const happening of happenings) {
          events.push({
            id: yield* ids.make("event"),
            realmId,
            eventType: happening.eventType,
            eventAt,
            userId: happening.userId ?? null,
            orgId: happening.orgId ?? null,
            membershipId: happening.membershipId ?? null,
            invitationId: happening.invitationId ?? null,
            sessionId: happening.sessionId ?? null,
            authProviderId: happening.authProviderId ?? null,
            hookId: happening.hookId ?? null,
            loginPolicyId: happening.loginPolicyId ?? null,
            requestIp: origin.ip,
            requestClient: origin.client,
            tokenId: happening.tokenId ?? null
          })
        }
        const hooks = yield* repo.insert(realmId, events)
        if (hooks === undefined) return yield* new RealmNotFound({ id: realmId })
        if (hooks.length > 0) yield* deliver(happenings, events, hooks)
      })

      const get = Effect.fn("Journal.get")(function* (id: string, version: Version) {
        const realm = yield* CurrentRealm
        const event = isId("event", id) ? yield* repo.find(realm.id, id, yield* DateTime.now) : undefined
        if (event === undefined || !matchingTypes(version, [""]).includes(event.eventType)) {
          return yield* new EventNotFound({ id })
        }
        return yield* opened(event)
      })

      const list = Effect.fn("Journal.list")(function* (query: EventQuery, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, (id) => get(id, query.version))
        const types = matchingTypes(query.version, query.eventTypes.length === 0 ? [""] : query.eventTypes)
        const filter = {
          types,
          typesGiven: query.eventTypes.length > 0,
          related: query.related,
          createdAfter: query.createdAfter,
          earliest:
            query.createdAfter === undefined ? undefined : earliestId("event", query.createdAfter.epochMilliseconds)
        }
        const found = pageOf(yield* repo.list(realm.id, filter, page, yield* DateTime.now), page.maxResults)
        return { items: yield* Effect.forEach(found.items, opened), more: found.more }
      })

      return Journal.of({
        record: (happenings) => Effect.flatMap(CurrentRealm, (realm) => recordIn(realm.id, happenings)),
        recordIn,
        named: Effect.fnUntraced(function* (ids) {
          return yield* Effect.forEach(yield* repo.named(ids, yield* DateTime.now), opened)
        }),
        get,
        since: Effect.fnUntraced(function* (id) {
          return yield* Effect.forEach(yield* repo.since(id, yield* DateTime.now), opened)
        }),
        list
      })
    })
  )
}
