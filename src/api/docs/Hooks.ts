import { user } from "./Samples.ts"

/** What each operation on hooks, and on what they get, does. */
export const hookOperations = {
  "hooks.list": {
    summary: "List hooks",
    description:
      "Lists the hooks of a realm; with `realm_id=null`, those for all realms; without a realm, every hook. A new realm has default e-mail hooks."
  },
  "hooks.get": {
    summary: "Get a hook",
    description: "Includes a webhook's `secret` for keys of level `admin_realm` and above."
  },
  "hooks.create": {
    summary: "Create a hook",
    description:
      "A webhook (the default) receives the types in `event_type`, or every event if that is empty; an e-mail hook receives exactly one type. Set `realm_id` to null for all realms, which requires `admin_all_realms`. Event: `app_hook.created`."
  },
  "hooks.update": {
    summary: "Update a hook",
    description:
      "Changes only the members sent, of those its type has. When a hook becomes inactive, its pending notifications are canceled. Event: `app_hook.updated`."
  },
  "hooks.delete": {
    summary: "Delete a hook",
    description: "Its pending notifications are canceled. Event: `app_hook.deleted`."
  },
  "hooks.rotateSecret": {
    summary: "Rotate a webhook's secret",
    description: "The previous secret also signs for another 24 hours. Event: `app_hook.updated`."
  },
  "hooks.ping": {
    summary: "Ping a webhook",
    description:
      "Immediately posts a signed message of type `hook.ping` to its destination and returns the result. Records no event."
  },
  "hooks.replay": {
    summary: "Replay a hook's notifications",
    description:
      "Resends, starting over from the first attempt, the hook's notifications recorded from `since` until `until` (default: now): those that failed, or all that have finished. Records no event."
  },
  "events.retry": {
    summary: "Retry a notification",
    description: "Starts over from the first attempt, with the same `webhook-id`. 409 if it is already being delivered."
  },
  "events.cancel": { summary: "Cancel a notification", description: "Only possible while it is being delivered." }
}

/** What the parameters of hooks are for. */
export const hookParameters = {
  hook_id: { description: "The hook's ID." },
  app_hook_id: { description: "The hook's ID." },
  hook_type: { description: "Return only this type." },
  "hooks.realm_id": { description: "Return only hooks of this realm; `null` returns those for all realms." },
  notification_id: { description: "The notification's ID." }
}

/** What callers send of hooks. */
export const hookRequests = {
  "v1.hooks.create": {
    app_hook: { event_type: ["user.created", "user.updated"], destination: "https://app.example.com/sallyport" }
  },
  "hooks.create": {
    hook: { event_type: ["user.created", "user.updated"], destination: "https://app.example.com/sallyport" }
  },
  "v1.hooks.update": { app_hook: { event_type: [], delay: 5 } },
  "hooks.update": { hook: { event_type: [], delay: 5 } },
  "hooks.rotateSecret": {},
  "hooks.ping": {},
  "hooks.replay": { since: 1_795_238_591.164, state: "failed" },
  "events.retry": {},
  "events.cancel": {}
}

const hookItem = {
  id: "hk_01m7y8xyq1d8v3k5n7s9w2e4r6",
  realm_id: user.realm_id,
  state: "active",
  event_type: ["user.created", "user.updated"],
  hook_type: "webhook",
  destination: "https://app.example.com/sallyport"
}

export const notification = {
  id: "ent_01m7y8xyr3f5b7d9h1k3m5p7r9",
  object: "notification",
  state: "completed",
  attempts: 1,
  hook_id: hookItem.id,
  hook_type: "webhook",
  last_attempt_at: 1_795_238_592.01,
  last_destination: hookItem.destination,
  last_result: "HTTP 200"
}

/** What operations on hooks answer. */
export const hookAnswer = (version: string, operation: string): unknown => {
  const item = { ...hookItem, object: version === "v1" ? "app_hook" : "hook" }
  if (operation === "list") return { collection: [item], more_results: false }
  if (operation === "replay") return { object: "replay", notifications: 12 }
  if (operation === "ping") {
    return { object: "ping", state: "completed", destination: hookItem.destination, result: "HTTP 200" }
  }
  return {
    ...item,
    version,
    delay: 0,
    created_at: 1_795_238_591.9,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
  }
}
