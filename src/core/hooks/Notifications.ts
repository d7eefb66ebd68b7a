import { Context, DateTime, Effect, Layer } from "effect"
import { type AppHook, HookInactive, HookNotFound, type HookType } from "#domain/AppHook"
import { Caller } from "#domain/Caller"
import {
  type Delivery,
  type DeliveryOfEvent,
  type DeliveryState,
  NotificationNotFound,
  NotificationState
} from "#domain/Delivery"
import { eventRecord } from "#domain/EventRecord"
import { type EventId, isId } from "#domain/Ids"
import { allows } from "#domain/Level"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm } from "#domain/Realm"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { DeliveriesRepo, type ReplayRange } from "#store/hooks/DeliveriesRepo"
import { Journal } from "../events/Journal.ts"
import { unsignedHeaders } from "./WebhookSignature.ts"

/** The request that a webhook attempt would send now, without a signature (SEC-206). */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A delivery with its request. `request` is null for an email. */
export interface DeliveryWithRequest {
  readonly delivery: DeliveryOfEvent
  readonly request: WebhookRequest | null
}

/** The deliveries of events, called `notifications` in the API (C35). */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** The deliveries of events. Only a caller who manages all realms sees those of hooks for all realms (SEC-69). */
    ofEvents(eventIds: ReadonlyArray<EventId>): Effect.Effect<ReadonlyArray<Delivery>, never, CurrentRealm | Caller>
    /** The deliveries of a hook that the caller may manage. Can be filtered by state. */
    listOfHook(
      hook: AppHook,
      state: DeliveryState | undefined,
      page: PageOf<"id">
    ): Effect.Effect<Page<DeliveryOfEvent>, NotificationNotFound>
    /**
     * A delivery of a hook that the caller may manage, with its request. Tokens are shown only to callers with level `write`
     * or above (C6).
     */
    getOfHook(hook: AppHook, id: string): Effect.Effect<DeliveryWithRequest, NotificationNotFound, Caller>
    /** The failed deliveries of the realm's own hooks. Can be filtered by hook type. */
    listFailed(
      hookType: HookType | undefined,
      page: PageOf<"id">
    ): Effect.Effect<Page<DeliveryOfEvent>, NotificationNotFound, CurrentRealm>
    /** Restarts a delivery. Fails if it is in progress. */
    retry(
      eventId: string,
      id: string
    ): Effect.Effect<
      Delivery,
      NotificationNotFound | NotificationState | HookNotFound | HookInactive,
      CurrentRealm | Caller
    >
    /** Cancels a delivery in progress. */
    cancel(
      eventId: string,
      id: string
    ): Effect.Effect<Delivery, NotificationNotFound | NotificationState, CurrentRealm | Caller>
    /**
     * Delivers the events of a time range to a hook again. Pending deliveries of these events become due now. Returns the
     * number of deliveries.
     */
    replay(hook: AppHook, range: ReplayRange): Effect.Effect<number, HookInactive>
    /** The number of deliveries that `replay` would make. */
    countReplay(hook: AppHook, range: ReplayRange): Effect.Effect<number, HookInactive>
  }
>()("sallyport/core/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const repo = yield* DeliveriesRepo
      const journal = yield* Journal
      const hooks = yield* AppHooksRepo
      const transaction = yield* Transaction
      const wakeUps = yield* WakeUps

      const isVisibleTo = ({ level, realmId }: Caller["Service"], { hookRealmId }: Delivery) =>
        hookRealmId !== null || (realmId === null && allows(level, "admin_all_realms"))

      const ofEvents = Effect.fnUntraced(function* (eventIds: ReadonlyArray<EventId>) {
        const realm = yield* CurrentRealm
        const caller = yield* Caller
        const all = yield* repo.ofEvents(realm.id, eventIds)
        return all.filter((delivery) => isVisibleTo(caller, delivery))
      })

      const findOfHook = Effect.fnUntraced(function* (hook: AppHook, id: string) {
        const found = isId("notification", id) ? yield* repo.findOfHook(hook, id) : undefined
        return found === undefined ? yield* new NotificationNotFound({ id }) : found
      })

      const getOfHook = Effect.fn("Notifications.getOfHook")(function* (hook: AppHook, id: string) {
        const delivery = yield* findOfHook(hook, id)
        const { realmId, eventId } = delivery
        const [event] = hook.hookType === "email" ? [] : yield* journal.findMany([{ realmId, id: eventId }])
        if (hook.hookType === "email" || event === undefined) return { delivery, request: null }
        const headers = unsignedHeaders(delivery.id, yield* DateTime.now)
        const showsToken = allows((yield* Caller).level, "write")
        const body = JSON.stringify(eventRecord(event, hook.version, showsToken))
        return { delivery, request: { url: hook.destination, headers, body } }
      })

      const listOfHook = Effect.fn("Notifications.listOfHook")(function* (
        hook: AppHook,
        state: DeliveryState | undefined,
        page: PageOf<"id">
      ) {
        yield* checkAfter(page, "notification", (id) => findOfHook(hook, id))
        return pageOf(yield* repo.ofHook(hook, state, page), page.maxResults)
      })

      const listFailed = Effect.fn("Notifications.listFailed")(function* (
        hookType: HookType | undefined,
        page: PageOf<"id">
      ) {
        const { id: realmId } = yield* CurrentRealm
        yield* checkAfter(page, "notification", (id) => Effect.fail(new NotificationNotFound({ id })))
        return pageOf(yield* repo.failed({ realmId, hookType }, page), page.maxResults)
      })

      const lockDelivery = Effect.fnUntraced(function* (eventId: string, id: string) {
        const realm = yield* CurrentRealm
        const hasValidIds = isId("event", eventId) && isId("notification", id)
        const delivery = hasValidIds ? yield* repo.findForUpdate(realm.id, eventId, id) : undefined
        if (delivery === undefined || !isVisibleTo(yield* Caller, delivery))
          return yield* new NotificationNotFound({ id })
        return delivery
      })

      const retry = Effect.fn("Notifications.retry")(function* (eventId: string, id: string) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const delivery = yield* lockDelivery(eventId, id)
            if (delivery.state === "in_progress") return yield* new NotificationState({ state: delivery.state })
            const hook = yield* hooks.find(delivery.hookId)
            if (hook === undefined) return yield* new HookNotFound({ id: delivery.hookId })
            if (hook.state === "inactive") return yield* new HookInactive({ id: hook.id })
            const dueAt = yield* DateTime.now
            yield* repo.restart(delivery, dueAt)
            yield* wakeUps.wake("DeliverHooks")
            return { ...delivery, state: "in_progress", attempts: 0, dueAt } satisfies Delivery
          })
        )
      })

      const cancel = Effect.fn("Notifications.cancel")(function* (eventId: string, id: string) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const delivery = yield* lockDelivery(eventId, id)
            if (delivery.state !== "in_progress") return yield* new NotificationState({ state: delivery.state })
            yield* repo.cancel(delivery)
            return { ...delivery, state: "canceled" } satisfies Delivery
          })
        )
      })

      const replay = Effect.fn("Notifications.replay")(function* (hook: AppHook, range: ReplayRange) {
        if (hook.state === "inactive") return yield* new HookInactive({ id: hook.id })
        return yield* transaction.run(
          Effect.tap(repo.replay(hook, range, yield* DateTime.now), () => wakeUps.wake("DeliverHooks"))
        )
      })

      const countReplay = Effect.fn("Notifications.countReplay")(function* (hook: AppHook, range: ReplayRange) {
        if (hook.state === "inactive") return yield* new HookInactive({ id: hook.id })
        return yield* repo.countReplay(hook, range, yield* DateTime.now)
      })

      return Notifications.of({ ofEvents, listOfHook, getOfHook, listFailed, retry, cancel, replay, countReplay })
    })
  )
}
