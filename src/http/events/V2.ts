import { Effect } from "effect"
import { Api } from "#api/Api"
import { Notifications } from "#core/hooks/Notifications"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { notificationBody } from "./Bodies.ts"
import { makeReads } from "./Handlers.ts"

/** `/v2/events`, with the notifications of each event. */
export const EventsHandlersV2 = handlerGroup(
  Api,
  "v2.events",
  Effect.fn(function* (group) {
    const { list, get } = yield* makeReads("v2")
    const notifications = yield* Notifications
    const { HookInactive, HookNotFound, NotificationNotFound, NotificationState } = wireErrors

    return group.handleAll({
      list,
      get: (request) =>
        Effect.gen(function* () {
          const { event, body } = yield* get(request)
          return { ...body, notifications: (yield* notifications.ofEvent(event.id)).map(notificationBody) }
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
