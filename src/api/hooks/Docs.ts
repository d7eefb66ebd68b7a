import { documentGroup, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { HooksV1 } from "./V1.ts"
import { HooksV2 } from "./V2.ts"

/** A sample webhook. The value of `object` differs between the versions. */
export const webhook = {
  id: "hk_01m7y8xyq1d8v3k5n7s9w2e4r6",
  realm_id: user.realm_id,
  state: "active",
  event_type: ["user.created", "user.updated"],
  hook_type: "webhook",
  destination: "https://app.example.com/sallyport"
} as const

const about = "Hooks send events as signed webhooks or as emails."

const newWebhook = { event_type: webhook.event_type, destination: webhook.destination }

const changes = { event_type: [], delay: 5 }

/** The names and request examples that differ between the versions. */
interface Examples<Creation, Change, Ping> {
  readonly object: "app_hook" | "hook"
  readonly version: string
  readonly creation: Creation
  readonly change: Change
  readonly ping: { readonly summary: string; readonly description: string; readonly request: Ping }
}

const endpoints = <const Creation, const Change, const Ping>({
  object,
  version,
  creation,
  change,
  ping
}: Examples<Creation, Change, Ping>) => {
  const item = { ...webhook, object }
  const read = {
    ...item,
    version,
    delay: 0,
    created_at: 1_795_238_591.9,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
  }
  return {
    list: {
      summary: "List hooks",
      description:
        "Lists the hooks of a realm. With `realm_id=null`, lists the hooks for all realms; without a realm, lists every hook. A new realm has default email hooks.",
      response: page(item)
    },
    get: {
      summary: "Get a hook",
      description: "Includes a webhook's `secret` for keys of level `admin_realm` and above.",
      response: read
    },
    create: {
      summary: "Create a hook",
      description:
        "A webhook (the default) receives the types in `event_type`, or every event if the list is empty. An email hook receives exactly one type. For a hook for all realms, set `realm_id` to null, which requires level `admin_all_realms`. Event: `app_hook.created`.",
      request: creation,
      response: read
    },
    update: {
      summary: "Update a hook",
      description:
        "Changes only the members you send, if they apply to the hook's type. When a hook becomes inactive, its pending notifications are canceled. Event: `app_hook.updated`.",
      request: change,
      response: read
    },
    delete: {
      summary: "Delete a hook",
      description: "Also cancels the hook's pending notifications. Event: `app_hook.deleted`."
    },
    rotateSecret: {
      summary: "Rotate a webhook's secret",
      description:
        "For another 24 hours, requests are also signed with the previous secret. Event: `app_hook.updated`.",
      request: {},
      response: read
    },
    ping: {
      summary: ping.summary,
      description: ping.description,
      request: ping.request,
      response: { object: "ping", state: "completed", destination: webhook.destination, result: "HTTP 200" }
    },
    replay: {
      summary: "Replay a hook's notifications",
      description:
        "Resends the hook's notifications recorded from `since` until `until` (default: now), starting over from the first attempt. By default, these are the notifications that failed permanently. `undelivered` adds those that wait for another attempt, which are then sent immediately; `all` also adds those that were delivered or canceled. `event_type` limits the event types. Notifications that are being sent, are due within two minutes or were never attempted are skipped, because they will be sent anyway. With `dry_run`, the notifications are only counted. A resent message has the same `webhook-id`. Records no event.",
      request: { since: 1_795_238_591.164, state: "failed" },
      response: { object: "replay", notifications: 12 }
    }
  } as const
}

const parameters = {
  realm_id: {
    description:
      "Return only hooks of this realm; `null` returns the hooks for all realms. Default: the key's realm, or every hook if the key has none."
  }
}

export const hooksV1 = documentGroup(
  HooksV1,
  about,
  endpoints({
    object: "app_hook",
    version: "v1",
    creation: { app_hook: newWebhook },
    change: { app_hook: changes },
    ping: {
      summary: "Ping a webhook",
      description:
        "Immediately posts a signed message of type `hook.ping` to its destination and returns the result. Records no event.",
      request: {}
    }
  }),
  parameters
)

const mail = {
  realm_id: webhook.realm_id,
  event_type: ["user.password.resetting"],
  email_subject: "Reset your password",
  email_template: "Hello {{first_name}},\n\n[Choose a new password]({{url}})",
  email_renderer: "markdown"
} as const

export const hooksV2 = documentGroup(
  HooksV2,
  about,
  {
    ...endpoints({
      object: "hook",
      version: "v2",
      creation: { hook: { realm_id: webhook.realm_id, ...newWebhook } },
      change: { hook: changes },
      ping: {
        summary: "Ping a hook",
        description:
          "Immediately sends a test and returns the result. A webhook sends a signed message of type `hook.ping` to its destination. An email hook sends its email, as shown by `POST /v2/hooks/preview`, to `email_to`, within the limits on emails to one recipient. Records no event.",
        request: { hook: { email_to: "ada@example.com" } }
      }
    }),
    preview: {
      summary: "Preview an email",
      description:
        "Renders the email of an email hook as it would be sent, without creating the hook or sending anything. Template errors return the same 422 as on creation. The email is about the event in `event_id`, or else about the newest event of that type, or else about sample data. Its link and code don't work. Records no event.",
      request: { hook: mail },
      response: {
        object: "mail_preview",
        event_id: null,
        from: { address: "no-reply@id.example.com", name: "Acme" },
        to: "ada.lovelace@example.com",
        subject: mail.email_subject,
        text: "Hello Ada,\n\nChoose a new password:\nhttps://id.example.com/…",
        html: "<p>Hello Ada,</p>…"
      }
    }
  },
  parameters
)
