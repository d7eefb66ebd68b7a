import { Effect } from "effect"
import { Api } from "#api/Api"
import { EventItem } from "#api/events/V2"
import { Notifications } from "#core/hooks/Notifications"
import type { EventWithToken } from "#domain/Event"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { expands, listResponse } from "../WireMapping.ts"
import { notificationBody } from "./Bodies.ts"
import { makeReads } from "./Handlers.ts"

/** `/v2/events`, with the notifications of each event. */
export const EventsHandlersV2 = handlerGroup(
  Api,
  "v2.events",
  Effect.fn(function* (group) {
    const { page, get } = yield* makeReads("v2")
    const notifications = yield* Notifications
    const { HookInactive, HookNotFound, NotificationNotFound, NotificationState } = wireErrors

    return group.handleAll({
      list: (request) =>
        Effect.gen(function* () {
          const { events, bodyOf } = yield* page(request)
          if (!expands(request.query, "notifications")) return yield* listResponse(EventItem, bodyOf)(events)
          const found = yield* notifications.ofEvents(events.items.map(({ id }) => id))
          const byEvent = Map.groupBy(found, ({ eventId }) => eventId)
          return yield* listResponse(EventItem, (event: EventWithToken) => ({
            ...bodyOf(event),
            notifications: (byEvent.get(event.id) ?? []).map(notificationBody)
          }))(events)
        }),
      get: (request) =>
        Effect.gen(function* () {
          const { event, body } = yield* get(request)
          return { ...body, notifications: (yield* notifications.ofEvents([event.id])).map(notificationBody) }
        }),
      retry: ({ params }) =>
        notifications
          .retry(params.event_id, params.notification_id)
          .pipe(
            Effect.map(notificationBody),
            Effect.catchTags({ HookInactive, HookNotFound, NotificationNotFound, NotificationState })
          ),
      cancel: ({ params }) =>
        notifications
          .cancel(params.event_id, params.notification_id)
          .pipe(Effect.map(notificationBody), Effect.catchTags({ NotificationNotFound, NotificationState }))
    })
  })
)
