// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Appearance } from "./Appearance.ts"

/** A connected app. */
export interface ConnectedApp {
  /** The app's ID, which begins with `lpl_`. */
  readonly id: string
  /** The type of the object: always `client_app`; under `/v1`, `login_policy`. */
  readonly object: "login_policy" | "client_app"
  /** The app's name. */
  readonly name: string
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /**
   * The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in
   * lower case.
   */
  readonly subdomain: string
  /** The hosts of the app's pages: one, made of its subdomain and the deployment's region and login domain. */
  readonly domains: ReadonlyArray<string>
  /** The address of the app's login page, to which your app sends people, with `state` in its query. */
  readonly login_url: string
  /** Whether the app's pages are served: `active` or `inactive`. */
  readonly state: "active" | "inactive"
  /**
   * HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are kept.
   * Null if none.
   */
  readonly header: string | null
  /**
   * HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are kept.
   * Null if none.
   */
  readonly footer: string | null
  /** The URL of a stylesheet for the pages: https, or http on the browser's own machine. Null if none. */
  readonly external_css: string | null
  /**
   * The URL in your app to which people go after a login, with `token` in its query: https, or http on the browser's
   * own machine. Null if none: people then stay on the app's `/profile`.
   */
  readonly login_handler: string | null
  /** The same after a sign-up, instead of `login_handler`. Null if none. */
  readonly signup_handler: string | null
  /**
   * The URLs that may be given as `redirect_uri`, at most 100: like `login_handler`, or with your app's own scheme that
   * contains a dot, such as `com.example.app:/path`.
   */
  readonly redirect_uris: ReadonlyArray<string>
  /**
   * The URLs that may be given to `/logout` as `redirect_uri`, besides the handlers and `redirect_uris`, at most 100:
   * in the same forms as `redirect_uris`.
   */
  readonly logout_uris: ReadonlyArray<string>
  /**
   * What a sign-up creates: a user (`user`), a user and an org (`user_org`), only a signup token (`user_token`), or
   * nothing, for no sign-ups (`none`).
   */
  readonly signup_mode: "none" | "user" | "user_org" | "user_token"
  /** Whether people who sign up must type their password twice. Those who change it always do on the pages. */
  readonly require_password_confirmation: boolean
  /** Whether people who sign up must give a first and last name. */
  readonly require_names: boolean
  /** Whether people who sign up must name the new org, with `signup_mode` `user_org`. */
  readonly require_org_name: boolean
  /** Whether the operations of hosted login can be called by JSONP, with `callback`. */
  readonly allow_jsonp: boolean
  /**
   * Whether people who are logged in already go on from `/login` to the app at once. If false, `/login` asks whether to
   * continue as that user.
   */
  readonly auto_continue: boolean
  /**
   * Whether people may invite others at `/invitation`: owners and admins of an org to that org, or, with `org_mode`
   * `single_user`, everyone to the realm unless its `signup` is `closed`.
   */
  readonly allow_invitations: boolean
  /** The permissions in the org of people who are invited to it at `/invitation`. */
  readonly invitation_permissions: ReadonlyArray<string>
  /** How the app's pages look. */
  readonly appearance: Appearance
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
}
