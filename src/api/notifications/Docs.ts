import { event, notification } from "../events/Docs.ts"
import { documentGroup, page } from "../GroupDocs.ts"
import { NotificationsV2 } from "./V2.ts"

const item = {
  ...notification,
  realm_id: event.realm_id,
  event_id: event.id,
  event_type: event.event_type,
  event_at: event.event_at
} as const

const failed = {
  ...item,
  state: "failed",
  attempts: 9,
  last_result: "HTTP 500\nInternal Server Error"
} as const

const newestFirst = {
  direction: {
    description: "The order: newest first (`desc`) or oldest first. Default: `desc`.",
    schema: { default: "desc" }
  }
}

export const notificationsV2 = documentGroup(
  NotificationsV2,
  "The deliveries of events to hooks.",
  {
    list: {
      summary: "List failed notifications",
      description:
        "Lists the notifications of a realm's hooks that failed permanently and will not be retried, newest first. With `hook_type=email`, lists only emails. `POST /v2/events/{event_id}/notifications/{notification_id}/retry` resends one notification, and `POST /v2/hooks/{hook_id}/replay` resends all notifications of a hook. Notifications of a hook for all realms are only listed under that hook.",
      response: page(failed)
    },
    listOfHook: {
      summary: "List a hook's notifications",
      description:
        "Lists the deliveries of a hook, newest first, each with the ID, type and time of its event. For a hook for all realms, this requires level `admin_all_realms`.",
      response: page(item)
    },
    get: {
      summary: "Get a hook's notification",
      description:
        "Includes the request that an attempt would send now, without its signature or any secrets. `last_result` is the result of the last attempt.",
      response: {
        ...failed,
        request: {
          method: "POST",
          url: notification.last_destination,
          headers: {
            "content-type": "application/json",
            "user-agent": "Sallyport-Webhooks/1",
            "webhook-id": notification.id,
            "webhook-timestamp": "1795238592"
          },
          body: JSON.stringify(event)
        }
      }
    }
  },
  {
    ...newestFirst,
    state: {
      description:
        "Return only notifications in this state. `GET /v2/notifications` only accepts `failed`, which is the default there. Default elsewhere: all."
    }
  }
)
