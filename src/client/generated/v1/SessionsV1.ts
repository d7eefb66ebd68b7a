// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { SessionItemV1 } from "../types/SessionItemV1.ts"
import type { SessionV1 } from "../types/SessionV1.ts"

/** The parameters of `GET /v1/sessions`. */
export interface ListSessionsV1 {
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
   * The user's ID. In the path of users, it can also be an email (`/v2`) or a username (`/v1`). As a filter, it can
   * also be an email or, under `/v1`, a username. A list filtered by an unknown user is empty.
   */
  readonly user_id?: string | undefined
}

/** The parameters of `POST /v1/sessions`. */
export interface CreateSessionV1 {
  /** The ID of an active person (not of an API user). */
  readonly user_id: string
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v1/sessions/{session_id}`. */
export interface GetSessionV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"memberships" | "token"> | "memberships" | "token" | undefined
}

/** The logged-in sessions of users, each with a signed token. */
export interface SessionsV1<F extends Form> {
  /**
   * List sessions.
   *
   * Lists the active sessions of a user or of the entire realm.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListSessionsV1, options?: CallOptions): Listed<F, SessionItemV1>
  /**
   * Create a session.
   *
   * Does not authenticate the user. Use it for human users who are new or were authenticated in another way. Records no
   * event.
   *
   * Requires an API key of level `write`.
   */
  create(session: CreateSessionV1, options?: CallOptions): Answer<F, SessionV1 & { readonly token: string }>
  /**
   * Get a session.
   *
   * `expand` accepts `memberships`, and `token` for a fresh token, **even with a key of level `read`: anyone with the
   * token can act as the user.** If the realm's `session_tokens` is `write`, only keys of level `write` and above get
   * the token; for other keys, `token` is null. If the user has chosen an org on the hosted login pages, a fresh token
   * contains only that org, as long as the user belongs to it. A session can be found by its token as long as the token
   * is valid.
   *
   * Requires an API key of level `read`.
   */
  get(sessionId: string, query?: GetSessionV1, options?: CallOptions): Answer<F, SessionV1>
  /**
   * Delete a session.
   *
   * Returns 204 even if the session no longer exists or the token does not belong to the realm. Its event is not shown
   * in `/v1`.
   *
   * Requires an API key of level `write`.
   */
  delete(sessionId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const sessions = <F extends Form>(call: Call<F>): SessionsV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/sessions" }, [], query, options),
  create: (session, options) =>
    call.one({ route: "POST /v1/sessions", wrapper: "session", isCreate: true }, [], session, options),
  get: (sessionId, query, options) => call.one({ route: "GET /v1/sessions/{session_id}" }, [sessionId], query, options),
  delete: (sessionId, options) =>
    call.one({ route: "DELETE /v1/sessions/{session_id}" }, [sessionId], undefined, options)
})
