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
   * The type of the app: an app with its own login pages (`standard`), or an OAuth client: a web server with a secret
   * (`web`), an app in a browser (`spa`) or on a device (`native`), a program that acts on its own behalf (`machine`),
   * or a device without a browser (`device`). Can't be changed.
   */
  readonly client_type: "standard" | "web" | "spa" | "native" | "machine" | "device"
  /**
   * The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in
   * lower case. Null for OAuth clients, which have no pages.
   */
  readonly subdomain: string | null
  /**
   * The hosts of the app's pages. There is one, which consists of the app's subdomain and the deployment's region and
   * login domain; OAuth clients have none.
   */
  readonly domains: ReadonlyArray<string>
  /**
   * The address of the app's login page. Send people there to log in, with `state` in the query. Null for OAuth
   * clients.
   */
  readonly login_url: string | null
  /** Whether the app's pages are served, or the OAuth client can be used: `active` or `inactive`. */
  readonly state: "active" | "inactive"
  /**
   * HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are
   * allowed; everything else is removed. Null if none.
   */
  readonly header: string | null
  /**
   * HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are
   * allowed; everything else is removed. Null if none.
   */
  readonly footer: string | null
  /** The URL of a stylesheet for the pages: https, or http on the browser's own machine. Null if none. */
  readonly external_css: string | null
  /**
   * The URL in your app that users are redirected to after a login, with `token` in the query. It must be https, or
   * http on the browser's own machine. Null if none: people then stay on the app's `/profile`.
   */
  readonly login_handler: string | null
  /** The URL that users are redirected to after a sign-up, instead of `login_handler`. Null if none. */
  readonly signup_handler: string | null
  /**
   * The URLs allowed as `redirect_uri`, at most 100. They have the same format as `login_handler`, or your app's own
   * scheme containing a dot, such as `com.example.app:/path`. OAuth clients must match them exactly, with two
   * exceptions for `native` clients: they can use any port of a loopback address, and custom schemes without a dot
   * (`example://path`), unless the web, browsers or operating systems use the scheme.
   */
  readonly redirect_uris: ReadonlyArray<string>
  /**
   * The URLs that `/logout` accepts as `redirect_uri`, in addition to the handlers and `redirect_uris`. At most 100, in
   * the same formats as `redirect_uris`.
   */
  readonly logout_uris: ReadonlyArray<string>
  /**
   * The result of a sign-up: a user (`user`), a user and an org (`user_org`) or only a signup token (`user_token`).
   * `none` turns sign-ups off.
   */
  readonly signup_mode: "none" | "user" | "user_org" | "user_token"
  /** Whether people must type their password twice to sign up. Password changes on the pages always require it. */
  readonly require_password_confirmation: boolean
  /** Whether people must enter a first and last name to sign up. */
  readonly require_names: boolean
  /** Whether people must name the new org to sign up, with `signup_mode` `user_org`. */
  readonly require_org_name: boolean
  /** Whether the operations of hosted login can be called by JSONP, with `callback`. */
  readonly allow_jsonp: boolean
  /**
   * Whether `/login` redirects users who are already logged in straight to the app. If false, it asks whether to
   * continue as that user.
   */
  readonly auto_continue: boolean
  /**
   * Whether users can invite others at `/invitation`. Owners and admins of an org can invite to that org. With
   * `org_mode` `single_user`, everyone can invite to the realm unless its `signup` is `closed`.
   */
  readonly allow_invitations: boolean
  /** The permissions that people get when they are invited to an org at `/invitation`. */
  readonly invitation_permissions: ReadonlyArray<string>
  /** The appearance of the app's pages. */
  readonly appearance: Appearance
  /**
   * The URLs that browsers may be redirected to after a logout requested by the client. At most 100, in the same
   * formats as `redirect_uris`. Empty for `standard` apps.
   */
  readonly post_logout_redirect_uris: ReadonlyArray<string>
  /** The URL to notify when a session that used the client ends. Null if none. */
  readonly backchannel_logout_uri: string | null
  /** The home page of the client. Expired login pages link to it. Null if none. */
  readonly client_uri: string | null
  /**
   * The client's URL that starts a login (OpenID Connect Core §4). Expired login pages link to it, with `iss`, instead
   * of `client_uri`. Null if none.
   */
  readonly initiate_login_uri: string | null
  /**
   * The methods by which the client can get tokens: `authorization_code`, `refresh_token`, `client_credentials` or
   * `urn:ietf:params:oauth:grant-type:device_code`. Empty for `standard` apps.
   */
  readonly grant_types: ReadonlyArray<
    "authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code"
  >
  /**
   * The method by which the client authenticates: with its secret (`client_secret_basic` and `client_secret_post`,
   * which are interchangeable), with a signed assertion (`private_key_jwt`) or, if it has no secret, not at all
   * (`none`). Null for `standard` apps.
   */
  readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none" | null
  /**
   * The public keys that verify the client's assertions, as a JSON Web Key Set. Keys can be RSA of 2,048 bits or more,
   * EC with the curve P-256, or Ed25519. Null if none.
   */
  readonly jwks: {
    /** The keys, as JSON Web Keys. */
    readonly keys: ReadonlyArray<{ readonly [name: string]: string }>
  } | null
  /**
   * The URL of the client's JSON Web Key Set, instead of `jwks`. It must be https, at a public address. The keys are
   * fetched when an assertion is verified, cached according to `Cache-Control`, and fetched again if an assertion names
   * an unknown key. Setting `jwks` or `jwks_uri` clears the other. Null if none.
   */
  readonly jwks_uri: string | null
  /** The scopes that the client may request. Empty for `standard` apps. */
  readonly allowed_scopes: ReadonlyArray<string>
  /**
   * The resource servers that the client can get access tokens for, as absolute URIs. At most 20. Empty for `standard`
   * apps.
   */
  readonly resources: ReadonlyArray<string>
  /**
   * Whether users must consent before the client gets access: `ask`, or `skip` for your own clients. Use `ask` for
   * third-party clients. Null for `standard` apps.
   */
  readonly consent: "skip" | "ask" | null
  /**
   * The claims about the user in ID tokens: the claims of the granted scopes `profile` and `email` (`scopes`), or no
   * claims (`minimal`). Claims requested in the `claims` parameter are added in both cases. Null for `standard` apps.
   */
  readonly id_token_claims: "scopes" | "minimal" | null
  /**
   * Whether authorization requests must use PKCE. Clients without a secret must always use it. Null for `standard`
   * apps.
   */
  readonly require_pkce: boolean | null
  /** Whether authorization requests must be pushed first. Null for `standard` apps. */
  readonly require_par: boolean | null
  /** Whether tokens are bound to a key of the client with DPoP. Null for `standard` apps. */
  readonly require_dpop: boolean | null
  /** The lifetime of access tokens, in minutes: 1 to 1,440. Null for `standard` apps. */
  readonly access_token_minutes: number | null
  /** The maximum lifetime of refresh tokens, in days: 1 to 365. Null for `standard` apps. */
  readonly refresh_token_days: number | null
  /** The ID of the standard app on whose pages people log in; null for the realm's oldest active standard app. */
  readonly login_app_id: string | null
  /**
   * The client's identifier in OAuth requests and tokens: its ID, or the URL of its metadata document. Null for
   * `standard` apps.
   */
  readonly client_id: string | null
  /**
   * How the client registered itself: with an API key (`token`), without an API key (`open`) or by a metadata document
   * (`document`). Null if it was created through the management API.
   */
  readonly registration: "token" | "open" | "document" | null
  /**
   * The secret of the OAuth client: `ocs_` followed by 43 letters and digits. Only in the response that creates the
   * secret, if the client authenticates with one.
   */
  readonly client_secret?: string
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
}
