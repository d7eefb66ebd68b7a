// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { ApiKey } from "../types/ApiKey.ts"
import type { Operator } from "../types/Operator.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/operators`. */
export interface ListOperators {
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
}

/** The parameters of `POST /v2/operators`. */
export interface CreateOperator {
  /** The email of the person to invite. */
  readonly email: string
  /**
   * The role. `viewer` reads. `support` also helps users: ends sessions and blocks, and resends emails and invitations.
   * `admin` may do what an API key of level `admin_realm` may. `owner` may do everything, and manages the operators.
   */
  readonly role: "viewer" | "support" | "admin" | "owner"
  /**
   * The ID of the realm to lock the operator to. Owners can't be locked. Null: all realms. Default: the realm in the
   * realm header, if there is one, else all realms. Null together with a realm header gets 400.
   */
  readonly realm_id?: string | null | undefined
  /** The language of the email. Default: `en`. */
  readonly locale?: "en" | "es" | null | undefined
  /** Whether to email the invitation. If not, pass on the `url` in the response yourself. Default: true. */
  readonly send_email?: boolean | null | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/operators/{operator_id}`. */
export interface UpdateOperator {
  /**
   * The role. `viewer` reads. `support` also helps users: ends sessions and blocks, and resends emails and invitations.
   * `admin` may do what an API key of level `admin_realm` may. `owner` may do everything, and manages the operators. It
   * applies from the operator's next request on.
   */
  readonly role: "viewer" | "support" | "admin" | "owner"
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `DELETE /v2/operators/{operator_id}`. */
export interface DeleteOperator {
  /** Whether to delete the API keys that the operator created in the console. Default: false. */
  readonly delete_api_keys?: boolean | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** The parameters of `POST /v2/operators/{operator_id}/invite`. */
export interface InviteOperator {
  /** Whether to email the invitation. If not, pass on the `url` in the response yourself. Default: true. */
  readonly send_email?: boolean | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/operators/{operator_id}/api_keys`. */
export interface ListCreatedKeys {
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
}

/**
 * The people who log in to the console with their own accounts. Operators belong to the service, not to a realm; their
 * users are in no realm's lists. These requests require an owner, or an API key of level `admin_all_realms`.
 */
export interface Operators<F extends Form> {
  /**
   * List operators.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  list(query?: ListOperators, options?: CallOptions): Listed<F, Operator>
  /**
   * Invite an operator.
   *
   * The invited person chooses a password with the link in the email, and can then add a passkey or an authenticator
   * app. There can be at most 1,000 operators. Event: `operator.created`.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  create(operator: CreateOperator, options?: CallOptions): Answer<F, Operator>
  /**
   * Get an operator.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  get(operatorId: string, options?: CallOptions): Answer<F, Operator>
  /**
   * Change an operator's role.
   *
   * Returns 422 with the code `last_owner` for the last owner who has accepted an invitation. Event:
   * `operator.updated`.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  update(operatorId: string, operator: UpdateOperator, options?: CallOptions): Answer<F, Operator>
  /**
   * Remove an operator.
   *
   * Ends the operator's sessions immediately. Returns 422 with the code `last_owner` for the last owner who has
   * accepted an invitation. API keys that the operator created continue to work, except with `delete_api_keys`. Events:
   * `operator.deleted`, and with `delete_api_keys` also `api_key.deleted` for each key.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  delete(operatorId: string, query?: DeleteOperator, options?: CallOptions): Answer<F, void>
  /**
   * Resend an operator's invitation.
   *
   * Makes a new link, and revokes the previous one. Returns 422 with the code `operator_active` if the operator has
   * already logged in.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  invite(operatorId: string, body?: InviteOperator, options?: CallOptions): Answer<F, Operator>
  /**
   * List the API keys that an operator created.
   *
   * The keys that the operator created in the console and that have not expired. Keys that were created by another API
   * key are not included.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  listCreatedKeys(operatorId: string, query?: ListCreatedKeys, options?: CallOptions): Listed<F, ApiKey>
}

/** Creates the resource's functions from a function that calls the API. */
export const operators = <F extends Form>(call: Call<F>): Operators<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/operators" }, [], query, options),
  create: (operator, options) =>
    call.one(
      { route: "POST /v2/operators", wrapper: "operator", realm: "body", isCreate: true },
      [],
      operator,
      options
    ),
  get: (operatorId, options) =>
    call.one({ route: "GET /v2/operators/{operator_id}" }, [operatorId], undefined, options),
  update: (operatorId, operator, options) =>
    call.one({ route: "PUT /v2/operators/{operator_id}", wrapper: "operator" }, [operatorId], operator, options),
  delete: (operatorId, query, options) =>
    call.one({ route: "DELETE /v2/operators/{operator_id}" }, [operatorId], query, options),
  invite: (operatorId, body, options) =>
    call.one({ route: "POST /v2/operators/{operator_id}/invite" }, [operatorId], body, options),
  listCreatedKeys: (operatorId, query, options) =>
    call.list({ route: "GET /v2/operators/{operator_id}/api_keys" }, [operatorId], query, options)
})
