import { apiKey } from "../access/Docs.ts"
import { documentGroup, page } from "../GroupDocs.ts"
import { webhook } from "../hooks/Docs.ts"
import { user } from "../memberships/Samples.ts"
import { EventsV1 } from "./V1.ts"
import { EventsV2 } from "./V2.ts"

/** A sample event. */
export const event = {
  id: "ev_01m7y8xyks7v0jgy6n2b8t4c1h",
  object: "event",
  event_type: "user.created",
  event_at: 1795238591.164,
  realm_id: user.realm_id,
  user_id: user.id,
  actor: { type: "api_key", id: apiKey.id },
  request: { ip: null, client: null }
} as const

/** The delivery of a sample event to one hook. */
export const notification = {
  id: "ent_01m7y8xyr3f5b7d9h1k3m5p7r9",
  object: "notification",
  state: "completed",
  attempts: 1,
  next_attempt_at: null,
  hook_id: webhook.id,
  hook_type: "webhook",
  last_attempt_at: 1_795_238_592.01,
  last_destination: webhook.destination,
  last_result: "HTTP 200"
} as const

const about = "The log of all events."

/** The docs of events in `/v1`. */
export const eventsV1 = documentGroup(EventsV1, about, {
  list: { summary: "List events", response: page(event) },
  get: { summary: "Get an event", response: event }
})

/** The docs of events in `/v2`. */
export const eventsV2 = documentGroup(EventsV2, about, {
  list: {
    summary: "List events",
    description:
      "Lists the events of a realm. With `realm_id=null`, lists the events that belong to no realm, which are about API keys and hooks for all realms. Listing these events requires a key of level `admin_all_realms`. Reading one of them requires the same level, and also `realm_id=null`.\n\nEvent types have the names of `/v1`: `login_policy.…` for client apps, and `app_hook.…` for hooks (except `hook.disabled`). Two filters therefore have two equivalent names: `client_app_id` and `login_policy_id`, `hook_id` and `app_hook_id`.",
    response: page(event)
  },
  get: {
    summary: "Get an event",
    description:
      "Includes its `notifications`, the deliveries of this event. Deliveries to hooks for all realms are only shown to keys of level `admin_all_realms`.",
    response: { ...event, notifications: [notification] }
  },
  retry: {
    summary: "Retry a notification",
    description:
      "Starts over from the first attempt, with the same `webhook-id`. Returns 409 if the notification is already being delivered.",
    request: {},
    response: notification
  },
  cancel: {
    summary: "Cancel a notification",
    description: "Only possible while its delivery is in progress.",
    request: {},
    response: notification
  }
})
