// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { EventItem } from "../types/EventItem.ts"
import type { EventWithNotifications } from "../types/EventWithNotifications.ts"
import type { Notification } from "../types/Notification.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/events`. */
export interface ListEvents {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by. Default: `id`. */
  readonly sort?: "id" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Return only events whose type begins with this text, such as `user.` or `user.created`. Can be repeated or have
   * several values separated by commas. Under `/v2`, a text that no type begins with returns 422. Default: all.
   */
  readonly event_type?: ReadonlyArray<string> | string | undefined
  /** Return only events after this time: Unix time in seconds, with up to three decimals, exclusive. Default: all. */
  readonly created_at_after?: number | undefined
  /** Return only events before this time: Unix time in seconds, with up to three decimals, exclusive. Default: all. */
  readonly created_at_before?: number | undefined
  /**
   * Return only events that report a failure or an attack (`failed`), such as `user.login.failed`, or all others
   * (`succeeded`). Default: all.
   */
  readonly result?: "succeeded" | "failed" | undefined
  /** Return only events of requests with exactly this IP address. A blank value matches nothing. Default: all. */
  readonly request_ip?: string | undefined
  /**
   * Return only events caused by this actor: the ID of an API key, user or connected app, or the name of a background
   * job. A blank value matches nothing. Default: all.
   */
  readonly actor_id?: string | undefined
  /**
   * Return only updates that changed this member, such as `email` or `custom`; can be repeated or have several values
   * separated by commas. Default: all events.
   */
  readonly changed?: ReadonlyArray<string> | string | undefined
  /**
   * The user's ID. In the path of users, it can also be an email (`/v2`) or a username (`/v1`). As a filter, it can
   * also be an email or, under `/v1`, a username. A list filtered by an unknown user is empty.
   */
  readonly user_id?: string | undefined
  /** The org's ID. */
  readonly org_id?: string | undefined
  /** The membership's ID. */
  readonly membership_id?: string | undefined
  /** The invitation's ID. */
  readonly invitation_id?: string | undefined
  /** The session's ID; in the path of `/v1`, also a full login token. */
  readonly session_id?: string | undefined
  /** The auth provider's ID; in the path of auth providers, also its type, unless that is `oauth2`. */
  readonly auth_provider_id?: string | undefined
  /** The hook's ID. */
  readonly app_hook_id?: string | undefined
  /** The hook's ID. */
  readonly hook_id?: string | undefined
  /** The connected app's ID. */
  readonly login_policy_id?: string | undefined
  /** The connected app's ID. */
  readonly client_app_id?: string | undefined
  /** The API key's ID. */
  readonly api_key_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"notifications" | "display_names"> | "notifications" | "display_names" | undefined
}

/** The parameters of `GET /v2/events/{event_id}`. */
export interface GetEvent {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"notifications" | "display_names"> | "notifications" | "display_names" | undefined
}

/** The parameters of `POST /v2/events/{event_id}/notifications/{notification_id}/retry`. */
export interface RetryNotification {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/events/{event_id}/notifications/{notification_id}/cancel`. */
export interface CancelNotification {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The log of all events. */
export interface Events<F extends Form> {
  /**
   * List events.
   *
   * Lists the events of a realm. With `realm_id=null`, lists the events that belong to no realm, which are about API
   * keys and hooks for all realms. Listing these events requires a key of level `admin_all_realms`. Reading one of them
   * requires the same level, and also `realm_id=null`.
   *
   * Event types have the names of `/v1`: `login_policy.…` for client apps, and `app_hook.…` for hooks (except
   * `hook.disabled`). Two filters therefore have two equivalent names: `client_app_id` and `login_policy_id`, `hook_id`
   * and `app_hook_id`.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListEvents, options?: CallOptions): Listed<F, EventItem>
  /**
   * Get an event.
   *
   * Includes its `notifications`, the deliveries of this event. Deliveries to hooks for all realms are only shown to
   * keys of level `admin_all_realms`.
   *
   * Requires an API key of level `read`.
   */
  get(eventId: string, query?: GetEvent, options?: CallOptions): Answer<F, EventWithNotifications>
  /**
   * Retry a notification.
   *
   * Starts over from the first attempt, with the same `webhook-id`. Returns 409 if the notification is already being
   * delivered.
   *
   * Requires an API key of level `admin_realm`.
   */
  retry(
    eventId: string,
    notificationId: string,
    body?: RetryNotification,
    options?: CallOptions
  ): Answer<F, Notification>
  /**
   * Cancel a notification.
   *
   * Only possible while its delivery is in progress.
   *
   * Requires an API key of level `admin_realm`.
   */
  cancel(
    eventId: string,
    notificationId: string,
    body?: CancelNotification,
    options?: CallOptions
  ): Answer<F, Notification>
}

/** Creates the resource's functions from a function that calls the API. */
export const events = <F extends Form>(call: Call<F>): Events<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/events" }, [], query, options),
  get: (eventId, query, options) => call.one({ route: "GET /v2/events/{event_id}" }, [eventId], query, options),
  retry: (eventId, notificationId, body, options) =>
    call.one(
      { route: "POST /v2/events/{event_id}/notifications/{notification_id}/retry" },
      [eventId, notificationId],
      body,
      options
    ),
  cancel: (eventId, notificationId, body, options) =>
    call.one(
      { route: "POST /v2/events/{event_id}/notifications/{notification_id}/cancel" },
      [eventId, notificationId],
      body,
      options
    )
})
