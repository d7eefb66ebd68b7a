// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { AppearanceInput } from "./AppearanceInput.ts"

/** The settings of a connected app. */
export interface ConnectedAppInput {
  /** Whether the app's pages are served: `active` or `inactive`. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /** The app's name. Required for a new app. */
  readonly name?: string | null | undefined
  /**
   * The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in
   * lower case. Some names are reserved. Default: derived from the name.
   */
  readonly subdomain?: string | null | undefined
  /**
   * HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are kept.
   * Default: none.
   */
  readonly header?: string | null | undefined
  /**
   * HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are kept.
   * Default: none.
   */
  readonly footer?: string | null | undefined
  /** The URL of a stylesheet for the pages: https, or http on the browser's own machine. Default: none. */
  readonly external_css?: string | null | undefined
  /**
   * The URL in your app to which people go after a login, with `token` in its query: https, or http on the browser's
   * own machine. Required under `/v1`. Default: none.
   */
  readonly login_handler?: string | null | undefined
  /** The same after a sign-up, instead of `login_handler`. Default: none. */
  readonly signup_handler?: string | null | undefined
  /**
   * The URLs that may be given as `redirect_uri`, at most 100: like `login_handler`, or with your app's own scheme that
   * contains a dot, such as `com.example.app:/path`. A list, or one text with spaces between them. Default: none.
   */
  readonly redirect_uris?: ReadonlyArray<string> | string | null | undefined
  /**
   * The URLs that may be given to `/logout` as `redirect_uri`, besides the handlers and `redirect_uris`, at most 100:
   * in the same forms as `redirect_uris`. A list, or one text with spaces between them. Default: none.
   */
  readonly logout_uris?: ReadonlyArray<string> | string | null | undefined
  /**
   * What a sign-up creates: a user (`user`), a user and an org (`user_org`), only a signup token (`user_token`), or
   * nothing, for no sign-ups (`none`). Default: `user`.
   */
  readonly signup_mode?: "none" | "user" | "user_org" | "user_token" | null | undefined
  /**
   * Whether people who sign up must type their password twice. Those who change it always do on the pages. Default:
   * false.
   */
  readonly require_password_confirmation?: boolean | null | undefined
  /** Whether people who sign up must give a first and last name. Default: false. */
  readonly require_names?: boolean | null | undefined
  /** Whether people who sign up must name the new org, with `signup_mode` `user_org`. Default: false. */
  readonly require_org_name?: boolean | null | undefined
  /** Whether the operations of hosted login can be called by JSONP, with `callback`. Default: true. */
  readonly allow_jsonp?: boolean | null | undefined
  /**
   * Whether people who are logged in already go on from `/login` to the app at once. If false, `/login` asks whether to
   * continue as that user. Default: true.
   */
  readonly auto_continue?: boolean | null | undefined
  /**
   * Whether people may invite others at `/invitation`: owners and admins of an org to that org, or, with `org_mode`
   * `single_user`, everyone to the realm unless its `signup` is `closed`. Default: true.
   */
  readonly allow_invitations?: boolean | null | undefined
  /**
   * The permissions in the org of people who are invited to it at `/invitation`. Up to 20 tags, as for memberships,
   * none of which begins with `ar:`. Default: none.
   */
  readonly invitation_permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * How the app's pages look. Members that are left out do not change. Null restores the default look. Default: none.
   */
  readonly appearance?: AppearanceInput | null | undefined
}
