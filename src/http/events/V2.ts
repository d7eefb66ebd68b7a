import { Effect } from "effect"
import { Api } from "#api/Api"
import { EventItem } from "#api/events/V2"
import { EventNames, idsIn, type Names } from "#core/events/EventNames"
import { Notifications } from "#core/hooks/Notifications"
import type { EventWithToken } from "#domain/Event"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { expands, listResponse } from "../WireMapping.ts"
import { notificationBody } from "./Bodies.ts"
import { makeReads } from "./Handlers.ts"

type Expanded = Parameters<typeof expands>[0]

/** The known names of an event's resources and actor, by ID. */
const namesIn = (event: EventWithToken, names: Names): Readonly<Record<string, string>> =>
  Object.fromEntries(
    idsIn(event).flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : [[id, name]]
    })
  )

/** `/v2/events`, with the notifications of each event. */
export const EventsHandlersV2 = handlerGroup(
  Api,
  "v2.events",
  Effect.fn(function* (group) {
    const { page, get } = yield* makeReads("v2")
    const notifications = yield* Notifications
    const names = yield* EventNames

    /** Reads what `expand` asks for, for all events of a page together. */
    const readExtras = Effect.fnUntraced(function* (events: ReadonlyArray<EventWithToken>, query: Expanded) {
      const [withNames, withDeliveries] = [expands(query, "display_names"), expands(query, "notifications")]
      const known = withNames ? yield* names.of(events) : undefined
      const found = withDeliveries ? yield* notifications.ofEvents(events.map(({ id }) => id)) : []
      const byEvent = Map.groupBy(found, ({ eventId }) => eventId)
      return (event: EventWithToken) => ({
        ...(known === undefined ? {} : { display_names: namesIn(event, known) }),
        ...(withDeliveries ? { notifications: (byEvent.get(event.id) ?? []).map(notificationBody) } : {})
      })
    })
    const { HookInactive, HookNotFound, NotificationNotFound, NotificationState } = wireErrors

    return group.handleAll({
      list: (request) =>
        Effect.gen(function* () {
          const { events, bodyOf } = yield* page(request)
          const extrasOf = yield* readExtras(events.items, request.query)
          return yield* listResponse(EventItem, (event: EventWithToken) => ({ ...bodyOf(event), ...extrasOf(event) }))(
            events
          )
        }),
      get: (request) =>
        Effect.gen(function* () {
          const { event, body } = yield* get(request)
          const known = expands(request.query, "display_names") ? yield* names.of([event]) : undefined
          return {
            ...body,
            ...(known === undefined ? {} : { display_names: namesIn(event, known) }),
            notifications: (yield* notifications.ofEvents([event.id])).map(notificationBody)
          }
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
