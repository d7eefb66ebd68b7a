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
  /** Whether the hook is `active` or `inactive`. Setting it to `inactive` also cancels its pending notifications. */
  readonly state: "active" | "inactive"
  /**
   * The types of events that the hook sends. A webhook can have any types; an empty list means all, including types
   * added later. An email hook has exactly one type, about a user or (`/v2`) an invitation.
   */
  readonly event_type: ReadonlyArray<EventType>
  /**
   * The type of the hook, which sends either requests (`webhook`) or emails (`email`). It determines which members are
   * present.
   */
  readonly hook_type: "webhook" | "email"
  /**
   * For a webhook: the URL to post events to. It must be https, or http if the deployment allows it. Null for email
   * hooks.
   */
  readonly destination: string | null
}
