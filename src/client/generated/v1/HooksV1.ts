// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { WebhookType, WebhookWithSecret } from "../../WebhookWithSecret.ts"
import type { Hook } from "../types/Hook.ts"
import type { HookInput } from "../types/HookInput.ts"
import type { HookItem } from "../types/HookItem.ts"
import type { NewHookV1 } from "../types/NewHookV1.ts"
import type { Ping } from "../types/Ping.ts"
import type { Replay } from "../types/Replay.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v1/app_hooks`. */
export interface ListHooksV1 {
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
  /**
   * Return only hooks of this realm; `null` returns the hooks for all realms. Default: the key's realm, or every hook
   * if the key has none.
   */
  readonly realm_id?: string | undefined
  /** Return only hooks of this type: `webhook` or `email`. Default: all. */
  readonly hook_type?: "webhook" | "email" | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
}

/** The parameters of `POST /v1/app_hooks`. */
export interface CreateHookV1 extends NewHookV1 {
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v1/app_hooks/{hook_id}`. */
export interface UpdateHookV1 extends HookInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/app_hooks/{hook_id}/rotate_secret`. */
export interface RotateHookSecretV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/app_hooks/{hook_id}/ping`. */
export interface PingHookV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/app_hooks/{hook_id}/replay`. */
export interface ReplayHookV1 {
  /** Unix time in seconds: resends notifications recorded from this time on. */
  readonly since: number
  /** Unix time in seconds: resends notifications recorded until this time. Default: now. */
  readonly until?: number | null | undefined
  /**
   * The notifications to resend. `failed` selects notifications that failed permanently, `undelivered` adds those that
   * wait for another attempt, and `all` also adds those that were delivered or canceled. Default: `failed`.
   */
  readonly state?: "failed" | "undelivered" | "all" | null | undefined
  /**
   * Resends only notifications about events of these types, or of types with these prefixes, such as `user.`. Default:
   * all types.
   */
  readonly event_type?: ReadonlyArray<string> | string | null | undefined
  /** Whether to only count the notifications, without resending them. Default: false. */
  readonly dry_run?: boolean | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Hooks send events as signed webhooks or as emails. */
export interface HooksV1<F extends Form> {
  /**
   * List hooks.
   *
   * Lists the hooks of a realm. With `realm_id=null`, lists the hooks for all realms; without a realm, lists every
   * hook. A new realm has default email hooks.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListHooksV1, options?: CallOptions): Listed<F, HookItem>
  /**
   * Create a hook.
   *
   * A webhook (the default) receives the types in `event_type`, or every event if the list is empty. An email hook
   * receives exactly one type. For a hook for all realms, set `realm_id` to null, which requires level
   * `admin_all_realms`. Event: `app_hook.created`.
   *
   * Requires an API key of level `admin_realm`.
   */
  create(appHook: CreateHookV1 & WebhookType, options?: CallOptions): Answer<F, WebhookWithSecret<Hook>>
  /** Create a hook, of any type. */
  create(appHook: CreateHookV1, options?: CallOptions): Answer<F, Hook>
  /**
   * Get a hook.
   *
   * Includes a webhook's `secret` for keys of level `admin_realm` and above.
   *
   * Requires an API key of level `read`.
   */
  get(hookId: string, options?: CallOptions): Answer<F, Hook>
  /**
   * Update a hook.
   *
   * Changes only the members you send, if they apply to the hook's type. When a hook becomes inactive, its pending
   * notifications are canceled. Event: `app_hook.updated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  update(hookId: string, appHook: UpdateHookV1, options?: CallOptions): Answer<F, Hook>
  /**
   * Delete a hook.
   *
   * Also cancels the hook's pending notifications. Event: `app_hook.deleted`.
   *
   * Requires an API key of level `admin_realm`.
   */
  delete(hookId: string, options?: CallOptions): Answer<F, void>
  /**
   * Rotate a webhook's secret.
   *
   * For another 24 hours, requests are also signed with the previous secret. Event: `app_hook.updated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  rotateSecret(hookId: string, body?: RotateHookSecretV1, options?: CallOptions): Answer<F, WebhookWithSecret<Hook>>
  /**
   * Ping a webhook.
   *
   * Immediately posts a signed message of type `hook.ping` to its destination and returns the result. Records no event.
   *
   * Requires an API key of level `admin_realm`.
   */
  ping(hookId: string, body?: PingHookV1, options?: CallOptions): Answer<F, Ping>
  /**
   * Replay a hook's notifications.
   *
   * Resends the hook's notifications recorded from `since` until `until` (default: now), starting over from the first
   * attempt. By default, these are the notifications that failed permanently. `undelivered` adds those that wait for
   * another attempt, which are then sent immediately; `all` also adds those that were delivered or canceled.
   * `event_type` limits the event types. Notifications that are being sent, are due within two minutes or were never
   * attempted are skipped, because they will be sent anyway. With `dry_run`, the notifications are only counted. A
   * resent message has the same `webhook-id`. Records no event.
   *
   * Requires an API key of level `admin_realm`.
   */
  replay(hookId: string, body: ReplayHookV1, options?: CallOptions): Answer<F, Replay>
}

/** Creates the resource's functions from a function that calls the API. */
export const hooks = <F extends Form>(call: Call<F>): HooksV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/app_hooks" }, [], query, options),
  create: (appHook: CreateHookV1, options?: CallOptions) =>
    call.one<WebhookWithSecret<Hook>>(
      { route: "POST /v1/app_hooks", wrapper: "app_hook", realm: "body", isCreate: true },
      [],
      appHook,
      options
    ),
  get: (hookId, options) => call.one({ route: "GET /v1/app_hooks/{hook_id}" }, [hookId], undefined, options),
  update: (hookId, appHook, options) =>
    call.one({ route: "PUT /v1/app_hooks/{hook_id}", wrapper: "app_hook" }, [hookId], appHook, options),
  delete: (hookId, options) => call.one({ route: "DELETE /v1/app_hooks/{hook_id}" }, [hookId], undefined, options),
  rotateSecret: (hookId, body, options) =>
    call.one({ route: "POST /v1/app_hooks/{hook_id}/rotate_secret" }, [hookId], body, options),
  ping: (hookId, body, options) => call.one({ route: "POST /v1/app_hooks/{hook_id}/ping" }, [hookId], body, options),
  replay: (hookId, body, options) => call.one({ route: "POST /v1/app_hooks/{hook_id}/replay" }, [hookId], body, options)
})
