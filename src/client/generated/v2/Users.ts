// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { EndedSessions } from "../types/EndedSessions.ts"
import type { NewUser } from "../types/NewUser.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { TrustedDevices } from "../types/TrustedDevices.ts"
import type { User } from "../types/User.ts"
import type { UserBlocks } from "../types/UserBlocks.ts"
import type { UserInput } from "../types/UserInput.ts"
import type { UserItem } from "../types/UserItem.ts"

/** The parameters of `GET /v2/users`. */
export interface ListUsers {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /**
   * The field to sort by; names, emails and usernames regardless of case. `name_alt` sorts by last name, then first
   * name. Users without the sorted value come first. Default: `email`.
   */
  readonly sort?: "id" | "email" | "last_login" | "name" | "name_alt" | "username" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * A search text of up to 200 characters. Returns the items for which one of the texts named above begins with it,
   * regardless of case, with exact matches first. Returns at most 20 items unless `max_results` is set; `more_results`
   * is true if there are more matches. Can only be combined with `state`, `expand`, `max_results` and `realm_id`.
   * Default, or if blank: all items.
   */
  readonly search?: string | undefined
  /** Return only users with this email, ignoring case; also matches `email_pending`. Default: all. */
  readonly email?: string | undefined
  /** Return only items with exactly this reference. A blank value matches nothing. Default: all. */
  readonly reference?: string | undefined
  /** Return only users with this username, ignoring case. A blank value matches nothing. Default: all. */
  readonly username?: string | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?:
    | ReadonlyArray<"custom" | "credentials" | "orgs" | "total_results">
    | "custom"
    | "credentials"
    | "orgs"
    | "total_results"
    | undefined
}

/** The parameters of `POST /v2/users`. */
export interface CreateUser extends NewUser {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/users/{user_id}`. */
export interface GetUser {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?:
    | ReadonlyArray<"memberships" | "custom" | "credentials">
    | "memberships"
    | "custom"
    | "credentials"
    | undefined
}

/** The parameters of `PUT /v2/users/{user_id}`. */
export interface UpdateUser extends UserInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/accept_invitation`. */
export interface AcceptInvitation {
  /** The invitation's token. Required. */
  readonly token?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/end_sessions`. */
export interface EndSessions {
  /** The ID of a session to keep. Default: none. */
  readonly except?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The people and programs that log in. */
export interface Users<F extends Form> {
  /**
   * List users.
   *
   * Lists human users. API users are listed under `/v1`. `search` matches the beginning of a user's email, pending
   * email, username, name (`Ada Lovelace`, `Lovelace` or `Lovelace, Ada`), ID or reference. References are
   * case-sensitive.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListUsers, options?: CallOptions): Listed<F, UserItem>
  /**
   * Create a user.
   *
   * With `org_ids` or `org`, also creates memberships with the given `permissions`. Events: `user.created`;
   * `user.email.verifying` or `user.email.verified`; `org.created`; `membership.created` for each membership.
   *
   * Requires an API key of level `write`.
   */
  create(user: CreateUser, options?: CallOptions): Answer<F, User>
  /**
   * Get a user.
   *
   * Requires an API key of level `read`.
   */
  get(userId: string, query?: GetUser, options?: CallOptions): Answer<F, User>
  /**
   * Update a user.
   *
   * An administrative update. Changes only the members you send. Events: `user.updated`; `user.email.updating`,
   * `user.email.verifying`, `user.email.verified`; `session.deleted` for each session that ends.
   *
   * Requires an API key of level `write`.
   */
  update(userId: string, user: UpdateUser, options?: CallOptions): Answer<F, User>
  /**
   * Delete a user.
   *
   * Events: `user.deleted`; `membership.deleted` and `session.deleted` for each membership and session.
   *
   * Requires an API key of level `write`.
   */
  delete(userId: string, options?: CallOptions): Answer<F, void>
  /**
   * Accept an invitation.
   *
   * For active human users. The body contains only the invitation's `token`. The user joins the invitation's org. If
   * the user is already a member, the invitation's permissions are added to the membership. Other invitations for the
   * same email and org are also removed. Events: `invitation.<type>.accepted`; `membership.created` or
   * `membership.updated`.
   *
   * Requires an API key of level `write`.
   */
  acceptInvitation(userId: string, user: AcceptInvitation, options?: CallOptions): Answer<F, User>
  /**
   * End a user's sessions.
   *
   * Ends all sessions of the user immediately, including sessions in browsers. With `except`, one session continues.
   * OAuth clients with access that does not depend on a session are not affected. Also ends the trust in the user's
   * devices. Events: `session.deleted` for each session, `user.device.untrusted`.
   *
   * Requires an API key of level `write`.
   */
  endSessions(userId: string, body?: EndSessions, options?: CallOptions): Answer<F, EndedSessions>
  /**
   * List a user's blocks.
   *
   * Returns why a user can't log in for a while: too many wrong passwords or codes, or a rate limit that counts the
   * user or their email. Blocks end by themselves. An inactive user is not blocked.
   *
   * Requires an API key of level `read`.
   */
  blocks(userId: string, options?: CallOptions): Answer<F, UserBlocks>
  /**
   * Unblock a user.
   *
   * Ends all blocks of a user immediately, with the same effect as waiting for their ends. Does nothing if the user
   * isn't blocked. Event: `user.unblocked`.
   *
   * Requires an API key of level `write`.
   */
  unblock(userId: string, options?: CallOptions): Answer<F, void>
  /**
   * List a user's trusted devices.
   *
   * Returns the browsers in which the user's password logins skip the second factor. Users trust a browser on the
   * hosted login page, if the realm has `trusted_devices_days`.
   *
   * Requires an API key of level `read`.
   */
  trustedDevices(userId: string, options?: CallOptions): Answer<F, TrustedDevices>
  /**
   * End the trust in a user's devices.
   *
   * Ends the trust in all devices of a user immediately, so that the next login asks for the second factor again.
   * Sessions continue. Does nothing if the user trusts no device. Event: `user.device.untrusted`.
   *
   * Requires an API key of level `write`.
   */
  untrustDevices(userId: string, options?: CallOptions): Answer<F, void>
  /**
   * Cancel the deletion of a user's account.
   *
   * Cancels a deletion that the user scheduled on the hosted pages, and makes the link in the email invalid. Does
   * nothing if none is scheduled. Event: `user.deletion.canceled`.
   *
   * Requires an API key of level `write`.
   */
  cancelDeletion(userId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const users = <F extends Form>(call: Call<F>): Users<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/users" }, [], query, options),
  create: (user, options) => call.one({ route: "POST /v2/users", wrapper: "user", isCreate: true }, [], user, options),
  get: (userId, query, options) => call.one({ route: "GET /v2/users/{user_id}" }, [userId], query, options),
  update: (userId, user, options) =>
    call.one({ route: "PUT /v2/users/{user_id}", wrapper: "user" }, [userId], user, options),
  delete: (userId, options) => call.one({ route: "DELETE /v2/users/{user_id}" }, [userId], undefined, options),
  acceptInvitation: (userId, user, options) =>
    call.one({ route: "POST /v2/users/{user_id}/accept_invitation", wrapper: "user" }, [userId], user, options),
  endSessions: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/end_sessions" }, [userId], body, options),
  blocks: (userId, options) => call.one({ route: "GET /v2/users/{user_id}/blocks" }, [userId], undefined, options),
  unblock: (userId, options) => call.one({ route: "DELETE /v2/users/{user_id}/blocks" }, [userId], undefined, options),
  trustedDevices: (userId, options) =>
    call.one({ route: "GET /v2/users/{user_id}/trusted_devices" }, [userId], undefined, options),
  untrustDevices: (userId, options) =>
    call.one({ route: "DELETE /v2/users/{user_id}/trusted_devices" }, [userId], undefined, options),
  cancelDeletion: (userId, options) =>
    call.one({ route: "DELETE /v2/users/{user_id}/deletion" }, [userId], undefined, options)
})
