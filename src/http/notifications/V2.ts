import { Effect } from "effect"
import { NamedRealm } from "#api/Access"
import { Api } from "#api/Api"
import { NotificationItem } from "#api/notifications/V2"
import { AppHooks } from "#core/hooks/AppHooks"
import { Notifications } from "#core/hooks/Notifications"
import { NotificationNotFound } from "#domain/Delivery"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { notificationItem, notificationWithRequest } from "./Bodies.ts"

/** `/v2/notifications` and `/v2/hooks/{hook_id}/notifications` */
export const NotificationsHandlersV2 = handlerGroup(
  Api,
  "v2.notifications",
  Effect.fn(function* (handlers) {
    const notifications = yield* Notifications
    const hooks = yield* AppHooks
    const { HookNotFound, LevelTooLow, NotificationNotFound: noNotification } = wireErrors
    const managed = (id: string) => Effect.flatMap(NamedRealm, (realm) => hooks.getManaged(realm?.id, id))

    return handlers.handleAll({
      list: ({ query }) =>
        notifications
          .listFailed(query.hook_type, requestedPage(query, "id", "desc"))
          .pipe(
            Effect.flatMap(listResponse(NotificationItem, notificationItem)),
            Effect.catchTags({ NotificationNotFound: noNotification })
          ),
      listOfHook: ({ params, query }) =>
        managed(params.hook_id).pipe(
          Effect.flatMap((hook) => notifications.listOfHook(hook, query.state, requestedPage(query, "id", "desc"))),
          Effect.flatMap(listResponse(NotificationItem, notificationItem)),
          Effect.catchTags({ HookNotFound, LevelTooLow, NotificationNotFound: noNotification })
        ),
      get: ({ params }) =>
        managed(params.hook_id).pipe(
          Effect.catchTag("HookNotFound", () => new NotificationNotFound({ id: params.notification_id })),
          Effect.flatMap((hook) => notifications.getOfHook(hook, params.notification_id)),
          Effect.map(notificationWithRequest),
          Effect.catchTags({ LevelTooLow, NotificationNotFound: noNotification })
        )
    })
  })
)
