// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Invitation } from "../types/Invitation.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/invitations`. */
export interface ListInvitations {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which also works if that item has
   * been deleted since. A blank one counts as none; text that is neither is 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by. Default: `id`. */
  readonly sort?: "id" | "email" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Return only invitations of this type. Default: all. */
  readonly invitation_type?: "org" | "preverify" | "referral" | "request" | undefined
  /** The org's ID. */
  readonly org_id?: string | undefined
  /** Return only invitations not sent yet (`pending`), or sent (`invited`). Default: all. */
  readonly state?: "pending" | "invited" | undefined
  /** Return only items with this e-mail, ignoring case; none if it is blank. Default: all. */
  readonly email?: string | undefined
}

/** The parameters of `POST /v2/invitations`. */
export interface CreateInvitation {
  /**
   * Why the person is invited: to join an `org`; to verify an e-mail before a sign-up (`preverify`); by another user
   * (`referral`); or at the person's own wish (`request`).
   */
  readonly invitation_type: "org" | "preverify" | "referral" | "request"
  /** The e-mail of the person to invite. Required. */
  readonly email?: string | null | undefined
  /** The ID of the org that the person joins. Required for the type `org`. Default: none. */
  readonly org_id?: string | null | undefined
  /** The ID of the user who invites. Default: none. */
  readonly inviting_user_id?: string | null | undefined
  /**
   * The ID of the auth provider to whose login the mail links, other than `password` and `totp`. Default: a link to
   * sign up or log in.
   */
  readonly auth_provider_id?: string | null | undefined
  /**
   * The ID of the connected app to whose pages the mail links, which must be active. Default: the oldest one that is
   * active when the mail is sent.
   */
  readonly client_app_id?: string | null | undefined
  /** The locale of the mail. Default: the realm's `default_locale`. */
  readonly locale?: string | null | undefined
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text with spaces between
   * them. Those that begin with `ar:` are reserved, except `ar:owner` and `ar:admin`. Default: none.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * Unix time in seconds, in the future, from which the invitation is gone. The first sending sets it anew, to 30 days
   * ahead, unless that call says otherwise. Default: 30 days from now; in an update, as before.
   */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/invitations/{invitation_id}`. */
export interface UpdateInvitation {
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text with spaces between
   * them. Those that begin with `ar:` are reserved, except `ar:owner` and `ar:admin`. Default: none.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * Unix time in seconds, in the future, from which the invitation is gone. The first sending sets it anew, to 30 days
   * ahead, unless that call says otherwise. Default: 30 days from now; in an update, as before.
   */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/invitations/{invitation_id}/invite`. */
export interface InviteInvitation {
  /**
   * Unix time in seconds, in the future, from which the invitation is gone. Default: the first time 30 days from now,
   * even if the invitation had another `expires_at` before; after that, as before.
   */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** Invitations to a realm or to one of its orgs. */
export interface Invitations<F extends Form> {
  /**
   * List invitations.
   *
   * Lists the invitations that have not expired.
   *
   * Requires a key of level `read`.
   */
  list(query?: ListInvitations, options?: CallOptions): Listed<F, Invitation>
  /**
   * Create an invitation.
   *
   * Does not send the invitation yet. `org_id` is required for the type `org`; `expires_at` defaults to 30 days from
   * now, and is set to 30 days ahead again when the invitation is sent for the first time: to keep another, give it
   * there as well. Event: `invitation.<type>.created`.
   *
   * Requires a key of level `write`.
   */
  create(invitation: CreateInvitation, options?: CallOptions): Answer<F, Invitation>
  /**
   * Get an invitation.
   *
   * Includes its `token` for keys of level `write` and above.
   *
   * Requires a key of level `read`.
   */
  get(invitationId: string, options?: CallOptions): Answer<F, Invitation>
  /**
   * Update an invitation.
   *
   * Changes its permissions and expiry; to change anything else, create a new one. Event: `invitation.<type>.updated`.
   *
   * Requires a key of level `write`.
   */
  update(invitationId: string, invitation: UpdateInvitation, options?: CallOptions): Answer<F, Invitation>
  /**
   * Delete an invitation.
   *
   * Event: `invitation.<type>.expired`.
   *
   * Requires a key of level `write`.
   */
  delete(invitationId: string, options?: CallOptions): Answer<F, void>
  /**
   * Send an invitation.
   *
   * Sends the invitation, or sends it again. `expires_at`, inside the wrapper or beside it, defaults to 30 days from
   * now the first time, even if creation or an update set another, and to its current value after that. Event:
   * `invitation.<type>.invited`, which contains the token.
   *
   * Requires a key of level `write`.
   */
  invite(invitationId: string, body?: InviteInvitation, options?: CallOptions): Answer<F, Invitation>
}

/** Creates the resource's functions from a function that calls the API. */
export const invitations = <F extends Form>(call: Call<F>): Invitations<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/invitations" }, [], query, options),
  create: (invitation, options) =>
    call.one({ route: "POST /v2/invitations", wrapper: "invitation", isCreate: true }, [], invitation, options),
  get: (invitationId, options) =>
    call.one({ route: "GET /v2/invitations/{invitation_id}" }, [invitationId], undefined, options),
  update: (invitationId, invitation, options) =>
    call.one(
      { route: "PUT /v2/invitations/{invitation_id}", wrapper: "invitation" },
      [invitationId],
      invitation,
      options
    ),
  delete: (invitationId, options) =>
    call.one({ route: "DELETE /v2/invitations/{invitation_id}" }, [invitationId], undefined, options),
  invite: (invitationId, body, options) =>
    call.one({ route: "POST /v2/invitations/{invitation_id}/invite" }, [invitationId], body, options)
})
