// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Event } from "../types/Event.ts"

/** The parameters of `GET /v1/events`. */
export interface ListEventsV1 {
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
}

/** The log of all events. */
export interface EventsV1<F extends Form> {
  /**
   * List events.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListEventsV1, options?: CallOptions): Listed<F, Event>
  /**
   * Get an event.
   *
   * Requires an API key of level `read`.
   */
  get(eventId: string, options?: CallOptions): Answer<F, Event>
}

/** Creates the resource's functions from a function that calls the API. */
export const events = <F extends Form>(call: Call<F>): EventsV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/events" }, [], query, options),
  get: (eventId, options) => call.one({ route: "GET /v1/events/{event_id}" }, [eventId], undefined, options)
})
