// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { EventType } from "./EventType.ts"
import type { WebhookRequest } from "./WebhookRequest.ts"

/** A notification with request. */
export interface NotificationWithRequest {
  /** The notification's ID, which begins with `ent_`: the `webhook-id` of its requests. */
  readonly id: string
  /** The type of the object: always `notification`. */
  readonly object: "notification"
  /**
   * How far it is: waiting for its first or next attempt (`in_progress`), delivered (`completed`), given up after nine
   * attempts (`failed`), or stopped (`canceled`).
   */
  readonly state: "in_progress" | "completed" | "failed" | "canceled"
  /** The number of attempts so far. */
  readonly attempts: number
  /**
   * Unix time in seconds, with up to three decimals, before which there is no further attempt: the end of the hook's
   * `delay`, of the wait after a failure, or of a limit of mails. During an attempt, when it is taken for lost. Null
   * unless `in_progress`.
   */
  readonly next_attempt_at: number | null
  /** The hook's ID. */
  readonly hook_id: string
  /** What the hook sends: requests (`webhook`) or mails (`email`). */
  readonly hook_type: "webhook" | "email"
  /** Unix time in seconds, with up to three decimals, of the last attempt; null if there was none. */
  readonly last_attempt_at: number | null
  /** The URL or address of the last attempt; null if there was none. */
  readonly last_destination: string | null
  /**
   * What came of the last attempt: the response's status and the first 1 KB of its body, or a sentence. Null if there
   * was none.
   */
  readonly last_result: string | null
  /** The ID of the realm in which the event happened; null for events of hooks and API keys for all realms. */
  readonly realm_id: string | null
  /** The event's ID. */
  readonly event_id: string
  readonly event_type: EventType
  /** Unix time in seconds, with up to three decimals, at which the event happened. */
  readonly event_at: number
  /**
   * What an attempt made now would send, by the hook's present settings. Null for an e-mail hook, whose mail `POST
   * /v2/hooks/preview` shows.
   */
  readonly request: WebhookRequest | null
}
