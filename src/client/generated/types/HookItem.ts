// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { EventType } from "./EventType.ts"

/** A hook in a list or within another resource. */
export interface HookItem {
  /** The hook's ID, which begins with `hk_`. */
  readonly id: string
  /** The type of the object: always `hook`; under `/v1`, `app_hook`. */
  readonly object: "app_hook" | "hook"
  /** The ID of the realm whose events the hook sends; null for all realms. */
  readonly realm_id: string | null
  /** Whether the hook sends: `active`, or `inactive`, which also cancels its pending notifications. */
  readonly state: "active" | "inactive"
  /**
   * The types of events that the hook sends. For a webhook: any; an empty list means all, including types added later.
   * For an email hook: exactly one, about a user or (`/v2`) an invitation.
   */
  readonly event_type: ReadonlyArray<EventType>
  /** What the hook sends: requests (`webhook`) or emails (`email`). Determines which members are present. */
  readonly hook_type: "webhook" | "email"
  /**
   * For a webhook: the URL to which events are posted: https, or http if the deployment allows it. Null for email
   * hooks.
   */
  readonly destination: string | null
}
