// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { NotificationItem } from "../types/NotificationItem.ts"
import type { NotificationWithRequest } from "../types/NotificationWithRequest.ts"

/** The parameters of `GET /v2/notifications`. */
export interface ListNotifications {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The order: newest first (`desc`) or oldest first. Default: `desc`. */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Return only notifications in this state. `GET /v2/notifications` only accepts `failed`, which is the default there.
   * Default elsewhere: all.
   */
  readonly state?: "failed" | undefined
  /** Return only hooks of this type: `webhook` or `email`. Default: all. */
  readonly hook_type?: "webhook" | "email" | undefined
}

/** The parameters of `GET /v2/hooks/{hook_id}/notifications`. */
export interface ListOfHook {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The order: newest first (`desc`) or oldest first. Default: `desc`. */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Return only notifications in this state. `GET /v2/notifications` only accepts `failed`, which is the default there.
   * Default elsewhere: all.
   */
  readonly state?: "in_progress" | "completed" | "failed" | "canceled" | undefined
}

/** The deliveries of events to hooks. */
export interface Notifications<F extends Form> {
  /**
   * List failed notifications.
   *
   * Lists the notifications of a realm's hooks that failed permanently and will not be retried, newest first. With
   * `hook_type=email`, lists only emails. `POST /v2/events/{event_id}/notifications/{notification_id}/retry` resends
   * one notification, and `POST /v2/hooks/{hook_id}/replay` resends all notifications of a hook. Notifications of a
   * hook for all realms are only listed under that hook.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListNotifications, options?: CallOptions): Listed<F, NotificationItem>
  /**
   * List a hook's notifications.
   *
   * Lists the deliveries of a hook, newest first, each with the ID, type and time of its event. For a hook for all
   * realms, this requires level `admin_all_realms`.
   *
   * Requires an API key of level `read`.
   */
  listOfHook(hookId: string, query?: ListOfHook, options?: CallOptions): Listed<F, NotificationItem>
  /**
   * Get a hook's notification.
   *
   * Includes the request that an attempt would send now, without its signature or any secrets. `last_result` is the
   * result of the last attempt.
   *
   * Requires an API key of level `read`.
   */
  get(hookId: string, notificationId: string, options?: CallOptions): Answer<F, NotificationWithRequest>
}

/** Creates the resource's functions from a function that calls the API. */
export const notifications = <F extends Form>(call: Call<F>): Notifications<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/notifications" }, [], query, options),
  listOfHook: (hookId, query, options) =>
    call.list({ route: "GET /v2/hooks/{hook_id}/notifications" }, [hookId], query, options),
  get: (hookId, notificationId, options) =>
    call.one(
      { route: "GET /v2/hooks/{hook_id}/notifications/{notification_id}" },
      [hookId, notificationId],
      undefined,
      options
    )
})
