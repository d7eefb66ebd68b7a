import { Duration } from "effect"
import { retryDelays } from "#domain/Delivery"
import { event } from "../events/Docs.ts"
import { webhook } from "../hooks/Docs.ts"

const TAG = "webhooks"

export const webhookTag = {
  name: TAG,
  description: "The requests that the service posts to the destinations of webhooks.",
  "x-displayName": TAG
}

const header = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
  example
})

const text = { type: "string" } as const

const sent = [
  header(
    "webhook-id",
    "The ID of the notification. It is the same for every attempt, so that receivers can detect duplicates.",
    text,
    "ent_01m7y8xyr3f5b7d9h1k3m5p7r9"
  ),
  header(
    "webhook-timestamp",
    "The time of the attempt, as a Unix timestamp in whole seconds. Reject requests whose time differs from your clock by more than five minutes.",
    { type: "string", pattern: "^\\d+$" },
    "1795238591"
  ),
  header(
    "webhook-signature",
    "One or more signatures, separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. For 24 hours after a rotation, there is one for each secret. Accept the request if any of them is valid.",
    text,
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  ),
  header("user-agent", "The sender: `Sallyport-Webhooks/` and a version.", text, "Sallyport-Webhooks/1")
]

const delays = retryDelays.map((delay) => Duration.format(delay)).join(", ")

const retried = `Not delivered. The request is retried, with up to nine attempts in total (after ${delays}, each up to 10% longer).`

const responses = {
  "2XX": { description: "Delivered. The body is ignored, but its first 1 KB is shown in the notification." },
  "410": { description: "Gone. The hook becomes inactive, and no more requests are sent." },
  "429": { description: `${retried} \`Retry-After\`, in seconds or as a date, is respected, up to 24 hours.` },
  "503": { description: `${retried} \`Retry-After\`, in seconds or as a date, is respected, up to 24 hours.` },
  default: {
    description: `${retried} The same applies to redirects, which are not followed, and to responses that take more than 15 seconds.`
  }
}

const signature =
  "Requests follow the [Standard Webhooks](https://www.standardwebhooks.com) specification, so any of its libraries verifies them. The key is the Base64 part of the hook's `secret`, after `whsec_`. Verify the body as it was received, before it is parsed, and compare in constant time."

/** The schema of a test message. It has the format of an event, but a special type. */
const pingSchema = {
  type: "object",
  properties: {
    id: { ...text, description: "An ID in the format of an event's ID. No list contains it." },
    object: { ...text, enum: ["event"], description: "The type of the object: always `event`." },
    event_type: { ...text, enum: ["hook.ping"], description: "The type of the message: always `hook.ping`." },
    event_at: { type: "number", description: "Unix time in seconds, with up to three decimals, of the ping." },
    realm_id: { type: ["string", "null"], description: "The ID of the hook's realm; null if it is for all realms." },
    hook_id: { ...text, description: "The hook's ID, for hooks created under `/v2`." },
    app_hook_id: { ...text, description: "The hook's ID, for hooks created under `/v1`." },
    request: { $ref: "#/components/schemas/Request", description: "Request attributes, all null." }
  },
  required: ["id", "object", "event_type", "event_at", "realm_id", "request"]
}

interface Message {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly schema: object
  readonly example: object
}

const post = ({ operationId, summary, description, schema, example }: Message) => ({
  post: {
    operationId,
    tags: [TAG],
    security: [],
    summary,
    description,
    parameters: sent,
    requestBody: {
      required: true,
      content: { "application/json": { schema, example } }
    },
    responses
  }
})

/** The requests that the service sends to webhooks (C37). */
export const webhooks = {
  event: post({
    operationId: "webhooks.event",
    summary: "An event",
    description: `Posted for every event whose type the hook receives, after the hook's \`delay\`. The body is the event as returned by \`GET /v2/events/{event_id}\`, with its token and without \`notifications\`. For hooks created under \`/v1\`, it has the names of that version. Events may arrive more than once and in any order.\n\n${signature}`,
    schema: { $ref: "#/components/schemas/Event" },
    example: event
  }),
  ping: post({
    operationId: "webhooks.ping",
    summary: "A test message",
    description: `Posted once when a webhook is pinged, regardless of the types it receives, and not retried. It is not an event, so no list contains it.\n\n${signature}`,
    schema: pingSchema,
    example: {
      id: event.id,
      object: event.object,
      event_type: "hook.ping",
      event_at: event.event_at,
      realm_id: event.realm_id,
      hook_id: webhook.id,
      request: event.request
    }
  })
}
