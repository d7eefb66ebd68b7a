// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { NewUserV1 } from "../types/NewUserV1.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { UserInputV1 } from "../types/UserInputV1.ts"
import type { UserItemV1 } from "../types/UserItemV1.ts"
import type { UserV1 } from "../types/UserV1.ts"

/** The parameters of `GET /v1/users`. */
export interface ListUsersV1 {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /**
   * The field to sort by; names, emails and usernames regardless of case. `name_alt` sorts by last name, then first
   * name. Users without the sorted value come first. Default: `username`.
   */
  readonly sort?: "id" | "last_login" | "name" | "name_alt" | "username" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Return only items with exactly this reference. A blank value matches nothing. Default: all. */
  readonly reference?: string | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
  /** Return only people (`human`) or programs (`api`). Default: `all`. */
  readonly user_type?: "all" | "human" | "api" | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"custom" | "credentials"> | "custom" | "credentials" | undefined
}

/** The parameters of `POST /v1/users`. */
export interface CreateUserV1 extends NewUserV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v1/users/{user_id}`. */
export interface GetUserV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"memberships"> | "memberships" | undefined
}

/** The parameters of `PUT /v1/users/{user_id}`. */
export interface UpdateUserV1 extends UserInputV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The people and programs that log in. */
export interface UsersV1<F extends Form> {
  /**
   * List users.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListUsersV1, options?: CallOptions): Listed<F, UserItemV1>
  /**
   * Create a user.
   *
   * With `org_ids` or `org`, also creates memberships with the given `permissions`. With only `permissions`, creates
   * one membership without an org. `token` is a signup token, whose data takes precedence over the other members.
   * Events: `user.created`; `user.email.verification_requested` or `user.email.verified`; `org.created`;
   * `membership.created` for each membership.
   *
   * Requires an API key of level `write`.
   */
  create(user: CreateUserV1, options?: CallOptions): Answer<F, UserV1>
  /**
   * Get a user.
   *
   * Includes an API user's `api_key` for keys of level `write` and above, if the realm's `api_key_policy` is `encrypt`.
   *
   * Requires an API key of level `read`.
   */
  get(userId: string, query?: GetUserV1, options?: CallOptions): Answer<F, UserV1>
  /**
   * Update a user.
   *
   * Changes only the members you send. Events: `user.updated`; `user.email.verification_requested` or
   * `user.email.verified`.
   *
   * Requires an API key of level `write`.
   */
  update(userId: string, user: UpdateUserV1, options?: CallOptions): Answer<F, UserV1>
  /**
   * Delete a user.
   *
   * Events: `user.deleted`; `membership.deleted` and `session.deleted` for each membership and session.
   *
   * Requires an API key of level `write`.
   */
  delete(userId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const users = <F extends Form>(call: Call<F>): UsersV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/users" }, [], query, options),
  create: (user, options) => call.one({ route: "POST /v1/users", wrapper: "user", isCreate: true }, [], user, options),
  get: (userId, query, options) => call.one({ route: "GET /v1/users/{user_id}" }, [userId], query, options),
  update: (userId, user, options) =>
    call.one({ route: "PUT /v1/users/{user_id}", wrapper: "user" }, [userId], user, options),
  delete: (userId, options) => call.one({ route: "DELETE /v1/users/{user_id}" }, [userId], undefined, options)
})
