import { user } from "./Samples.ts"

/** What each operation on hooks, and on what they get, does. */
export const hookOperations = {
  "hooks.list": {
    summary: "List hooks",
    description:
      "Those of a realm; with `realm_id=null` those that hear all realms; without a realm, every one. A new realm has default e-mail hooks."
  },
  "hooks.get": {
    summary: "Get a hook",
    description: "The `secret` of a webhook from level `admin_realm`."
  },
  "hooks.create": {
    summary: "Create a hook",
    description:
      "A webhook (unless told otherwise) hears the types of `event_type`, or everything where that is empty; an e-mail hook hears exactly one. `realm_id`: null for all realms, which takes `admin_all_realms`. Event: `app_hook.created`."
  },
  "hooks.update": {
    summary: "Update a hook",
    description:
      "Only what is given changes, of what its type has. What waits for a hook that turns inactive is canceled. Event: `app_hook.updated`."
  },
  "hooks.delete": {
    summary: "Delete a hook",
    description: "What waits for it is canceled. Event: `app_hook.deleted`."
  },
  "hooks.rotateSecret": {
    summary: "Rotate a webhook's secret",
    description: "For 24 hours the secret before signs too. Event: `app_hook.updated`."
  },
  "hooks.ping": {
    summary: "Ping a webhook",
    description:
      "Posts a signed message of type `hook.ping` to its destination, here and now, and says how that went. Records no event."
  },
  "hooks.replay": {
    summary: "Replay what a hook should have got",
    description:
      "Sends once more, from the first attempt, the hook's notifications recorded from `since` until `until` (now, unless told): those that failed, or all that are over. Records no event."
  },
  "events.retry": {
    summary: "Send a notification once more",
    description: "From the first attempt, with the same `webhook-id`. 409: it is being delivered already."
  },
  "events.cancel": { summary: "Cancel a notification", description: "Only one that is being delivered." }
}

/** What the parameters of hooks are for. */
export const hookParameters = {
  hook_id: { description: "A hook's id." },
  app_hook_id: { description: "A hook's id." },
  hook_type: { description: "Only of this type." },
  "hooks.realm_id": { description: "Only of this realm; `null`: those that hear all realms." },
  notification_id: { description: "A notification's id." }
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
