// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Invitation } from "../types/Invitation.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/invitations`. */
export interface ListInvitations {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
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
  /** Return only items with this email, ignoring case. A blank value matches nothing. Default: all. */
  readonly email?: string | undefined
}

/** The parameters of `POST /v2/invitations`. */
export interface CreateInvitation {
  /**
   * The type of invitation: to join an org (`org`), to verify an email before a sign-up (`preverify`), from another
   * user (`referral`), or at the person's own request (`request`).
   */
  readonly invitation_type: "org" | "preverify" | "referral" | "request"
  /** The email of the person to invite. Required. */
  readonly email?: string | null | undefined
  /** The ID of the org that the person joins. Required for the type `org`. Default: none. */
  readonly org_id?: string | null | undefined
  /** The ID of the inviting user. Default: none. */
  readonly inviting_user_id?: string | null | undefined
  /**
   * The ID of the auth provider whose login the email links to, other than `password` and `totp`. Default: a link to
   * sign up or log in.
   */
  readonly auth_provider_id?: string | null | undefined
  /**
   * The ID of the connected app whose pages the email links to, which must be active. Default: the oldest app that is
   * active when the email is sent.
   */
  readonly client_app_id?: string | null | undefined
  /** The locale of the email. Default: the realm's `default_locale`. */
  readonly locale?: string | null | undefined
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by
   * spaces. Tags that begin with `ar:` are reserved, except for `ar:owner` and `ar:admin`. Default: none.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * Unix time in seconds, in the future, at which the invitation expires. The first time the invitation is sent, the
   * expiry is reset to 30 days ahead, unless that request sets another. Default: 30 days from now; in an update, no
   * change.
   */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/invitations/{invitation_id}`. */
export interface UpdateInvitation {
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by
   * spaces. Tags that begin with `ar:` are reserved, except for `ar:owner` and `ar:admin`. Default: none.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * Unix time in seconds, in the future, at which the invitation expires. The first time the invitation is sent, the
   * expiry is reset to 30 days ahead, unless that request sets another. Default: 30 days from now; in an update, no
   * change.
   */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/invitations/{invitation_id}/invite`. */
export interface InviteInvitation {
  /**
   * Unix time in seconds, in the future, at which the invitation expires. Default: 30 days from now the first time,
   * even if the invitation had another `expires_at`; after that, no change.
   */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
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
   * Requires an API key of level `read`.
   */
  list(query?: ListInvitations, options?: CallOptions): Listed<F, Invitation>
  /**
   * Create an invitation.
   *
   * Does not send the invitation yet. `org_id` is required for the type `org`. `expires_at` defaults to 30 days from
   * now. Sending the invitation for the first time resets it to 30 days ahead, unless you set another expiry there.
   * Event: `invitation.<type>.created`.
   *
   * Requires an API key of level `write`.
   */
  create(invitation: CreateInvitation, options?: CallOptions): Answer<F, Invitation>
  /**
   * Get an invitation.
   *
   * Includes its `token` for keys of level `write` and above.
   *
   * Requires an API key of level `read`.
   */
  get(invitationId: string, options?: CallOptions): Answer<F, Invitation>
  /**
   * Update an invitation.
   *
   * Changes the invitation's permissions and expiry. To change other members, create a new invitation. Event:
   * `invitation.<type>.updated`.
   *
   * Requires an API key of level `write`.
   */
  update(invitationId: string, invitation: UpdateInvitation, options?: CallOptions): Answer<F, Invitation>
  /**
   * Delete an invitation.
   *
   * Event: `invitation.<type>.expired`.
   *
   * Requires an API key of level `write`.
   */
  delete(invitationId: string, options?: CallOptions): Answer<F, void>
  /**
   * Send an invitation.
   *
   * Sends the invitation, or sends it again. `expires_at` can be inside the wrapper or next to it. The first time, it
   * defaults to 30 days from now, even if another expiry was set before. After that, it defaults to the current value.
   * Event: `invitation.<type>.invited`, which contains the token.
   *
   * Requires an API key of level `write`.
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
