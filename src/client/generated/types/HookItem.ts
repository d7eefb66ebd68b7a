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
  /** Whether the hook sends: `active`, or `inactive`, which also cancels what it has not sent yet. */
  readonly state: "active" | "inactive"
  /**
   * The types of events that the hook sends. Of a webhook: any, and none means all, also those of later releases. Of an
   * e-mail hook: exactly one, of a user or (`/v2`) an invitation.
   */
  readonly event_type: ReadonlyArray<EventType>
  /** What the hook sends: requests (`webhook`) or mails (`email`). Decides which members there are. */
  readonly hook_type: "webhook" | "email"
  /**
   * Of a webhook: the URL to which events are posted: https, or http where the deployment allows it. Null for e-mail
   * hooks.
   */
  readonly destination: string | null
}
