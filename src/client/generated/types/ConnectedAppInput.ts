// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { AppearanceInput } from "./AppearanceInput.ts"

/** The settings of a connected app. */
export interface ConnectedAppInput {
  /** Whether the app's pages are served, or the OAuth client can be used: `active` or `inactive`. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /** The app's name. Required for a new app. */
  readonly name?: string | null | undefined
  /**
   * The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in
   * lower case. Some names are reserved. Default: derived from the name.
   */
  readonly subdomain?: string | null | undefined
  /**
   * HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are
   * allowed; everything else is removed. Default: none.
   */
  readonly header?: string | null | undefined
  /**
   * HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are
   * allowed; everything else is removed. Default: none.
   */
  readonly footer?: string | null | undefined
  /** The URL of a stylesheet for the pages: https, or http on the browser's own machine. Default: none. */
  readonly external_css?: string | null | undefined
  /**
   * The URL in your app that users are redirected to after a login, with `token` in the query. It must be https, or
   * http on the browser's own machine. Required under `/v1`. Default: none.
   */
  readonly login_handler?: string | null | undefined
  /** The URL that users are redirected to after a sign-up, instead of `login_handler`. Default: none. */
  readonly signup_handler?: string | null | undefined
  /**
   * The URLs allowed as `redirect_uri`, at most 100. They have the same format as `login_handler`, or your app's own
   * scheme containing a dot, such as `com.example.app:/path`. OAuth clients must match them exactly, with two
   * exceptions for `native` clients: they can use any port of a loopback address, and custom schemes without a dot
   * (`example://path`), unless the web, browsers or operating systems use the scheme. A list, or one text separated by
   * spaces. Default: none.
   */
  readonly redirect_uris?: ReadonlyArray<string> | string | null | undefined
  /**
   * The URLs that `/logout` accepts as `redirect_uri`, in addition to the handlers and `redirect_uris`. At most 100, in
   * the same formats as `redirect_uris`. A list, or one text separated by spaces. Default: none.
   */
  readonly logout_uris?: ReadonlyArray<string> | string | null | undefined
  /**
   * The result of a sign-up: a user (`user`), a user and an org (`user_org`) or only a signup token (`user_token`).
   * `none` turns sign-ups off. Default: `user`.
   */
  readonly signup_mode?: "none" | "user" | "user_org" | "user_token" | null | undefined
  /**
   * Whether people must type their password twice to sign up. Password changes on the pages always require it. Default:
   * false.
   */
  readonly require_password_confirmation?: boolean | null | undefined
  /** Whether people must enter a first and last name to sign up. Default: false. */
  readonly require_names?: boolean | null | undefined
  /** Whether people must name the new org to sign up, with `signup_mode` `user_org`. Default: false. */
  readonly require_org_name?: boolean | null | undefined
  /** Whether the operations of hosted login can be called by JSONP, with `callback`. Default: true. */
  readonly allow_jsonp?: boolean | null | undefined
  /**
   * Whether `/login` redirects users who are already logged in straight to the app. If false, it asks whether to
   * continue as that user. Default: true.
   */
  readonly auto_continue?: boolean | null | undefined
  /**
   * Whether users can invite others at `/invitation`. Owners and admins of an org can invite to that org. With
   * `org_mode` `single_user`, everyone can invite to the realm unless its `signup` is `closed`. Default: true.
   */
  readonly allow_invitations?: boolean | null | undefined
  /**
   * The permissions that people get when they are invited to an org at `/invitation`. Up to 20 tags, in the same format
   * as for memberships. None can begin with `ar:`. Default: none.
   */
  readonly invitation_permissions?: ReadonlyArray<string> | string | null | undefined
  /** The appearance of the app's pages. Missing members don't change. Null restores the default look. Default: none. */
  readonly appearance?: AppearanceInput | null | undefined
  /**
   * The type of the app: an app with its own login pages (`standard`), or an OAuth client: a web server with a secret
   * (`web`), an app in a browser (`spa`) or on a device (`native`), a program that acts on its own behalf (`machine`),
   * or a device without a browser (`device`). Can't be changed. Default: `standard`.
   */
  readonly client_type?: "standard" | "web" | "spa" | "native" | "machine" | "device" | null | undefined
  /**
   * The URLs that browsers may be redirected to after a logout requested by the client. At most 100, in the same
   * formats as `redirect_uris`. Default: none. A list, or one text separated by spaces.
   */
  readonly post_logout_redirect_uris?: ReadonlyArray<string> | string | null | undefined
  /** The URL to notify when a session that used the client ends. Default: none. */
  readonly backchannel_logout_uri?: string | null | undefined
  /** The home page of the client. Expired login pages link to it. Default: none. */
  readonly client_uri?: string | null | undefined
  /**
   * The client's URL that starts a login (OpenID Connect Core §4). Expired login pages link to it, with `iss`, instead
   * of `client_uri`. Default: none.
   */
  readonly initiate_login_uri?: string | null | undefined
  /**
   * The methods by which the client can get tokens: `authorization_code`, `refresh_token`, `client_credentials` or
   * `urn:ietf:params:oauth:grant-type:device_code`. Default: depends on the client type.
   */
  readonly grant_types?:
    | ReadonlyArray<
        "authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code"
      >
    | "authorization_code"
    | "refresh_token"
    | "client_credentials"
    | "urn:ietf:params:oauth:grant-type:device_code"
    | null
    | undefined
  /**
   * The method by which the client authenticates: with its secret (`client_secret_basic` and `client_secret_post`,
   * which are interchangeable), with a signed assertion (`private_key_jwt`) or, if it has no secret, not at all
   * (`none`). Default: `client_secret_basic`, or `none` for `spa`, `native` and `device`.
   */
  readonly token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "private_key_jwt"
    | "none"
    | null
    | undefined
  /**
   * The public keys that verify the client's assertions, as a JSON Web Key Set. Keys can be RSA of 2,048 bits or more,
   * EC with the curve P-256, or Ed25519. At most 10. Default: none.
   */
  readonly jwks?: { readonly [name: string]: unknown } | undefined
  /**
   * The URL of the client's JSON Web Key Set, instead of `jwks`. It must be https, at a public address. The keys are
   * fetched when an assertion is verified, cached according to `Cache-Control`, and fetched again if an assertion names
   * an unknown key. Setting `jwks` or `jwks_uri` clears the other. Default: none.
   */
  readonly jwks_uri?: string | null | undefined
  /**
   * The scopes that the client may request. Default: the standard scopes; none for `machine`, which has no users. A
   * list, or one text separated by spaces.
   */
  readonly allowed_scopes?: ReadonlyArray<string> | string | null | undefined
  /**
   * The resource servers that the client can get access tokens for, as absolute URIs. At most 20. Default: none. A
   * list, or one text separated by spaces.
   */
  readonly resources?: ReadonlyArray<string> | string | null | undefined
  /**
   * Whether users must consent before the client gets access: `ask`, or `skip` for your own clients. Use `ask` for
   * third-party clients. Default: `skip`.
   */
  readonly consent?: "skip" | "ask" | null | undefined
  /**
   * The claims about the user in ID tokens: the claims of the granted scopes `profile` and `email` (`scopes`), or no
   * claims (`minimal`). Claims requested in the `claims` parameter are added in both cases. Default: `scopes`.
   */
  readonly id_token_claims?: "scopes" | "minimal" | null | undefined
  /** Whether authorization requests must use PKCE. Clients without a secret must always use it. Default: true. */
  readonly require_pkce?: boolean | null | undefined
  /** Whether authorization requests must be pushed first. Default: false. */
  readonly require_par?: boolean | null | undefined
  /** Whether tokens are bound to a key of the client with DPoP. Default: false. */
  readonly require_dpop?: boolean | null | undefined
  /** The lifetime of access tokens, in minutes: 1 to 1,440. Default: 60. */
  readonly access_token_minutes?: number | null | undefined
  /** The maximum lifetime of refresh tokens, in days: 1 to 365. Default: 30. */
  readonly refresh_token_days?: number | null | undefined
  /**
   * The ID of the standard app on whose pages people log in; null for the realm's oldest active standard app. Default:
   * null.
   */
  readonly login_app_id?: string | null | undefined
}
