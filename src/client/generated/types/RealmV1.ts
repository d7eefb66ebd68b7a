// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { Limits } from "./Limits.ts"

/** A realm, as version 1 of the API shows it. */
export interface RealmV1 {
  /** The realm's ID, which begins with `rl_`. */
  readonly id: string
  /** The type of the object: always `realm`. */
  readonly object: "realm"
  /** The name shown on pages and in emails. */
  readonly name: string
  /**
   * Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are rejected while tokens still
   * verify and management still works.
   */
  readonly state: "active" | "inactive"
  /** Your own ID for the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference: string | null
  /** Your own attributes of the realm. */
  readonly custom: Custom
  /** The purpose of the realm: `live` or `test`. For your information only; it has no effect. */
  readonly environment: "live" | "test"
  /** The type of usernames: `standard`, or `email`, with which people have no username and log in with their email. */
  readonly username_validation_human: "standard" | "email"
  /**
   * Whether an email can belong to only one user. If not, nobody can log in or be looked up by an email that several
   * users share.
   */
  readonly require_unique_emails: boolean
  /** The prefix of users' generated API keys; null for none. */
  readonly api_key_prefix: string | null
  /**
   * How API keys of users are stored: as a `hash`, so that a generated key is shown only once, or encrypted, so that
   * reads can show it (`encrypt`).
   */
  readonly api_key_policy: "encrypt" | "hash"
  /** The algorithm of the key that signs tokens: `hs256` or `rs256`. */
  readonly jwt_algo: "hs256" | "rs256"
  /** Which claims tokens have: those of `v2` only, or also those of `/v1` (`both`), which makes them larger. */
  readonly jwt_claims: "v2" | "both"
  /**
   * The key that verifies tokens: a public key in PEM (`rs256`), or the secret (`hs256`), visible only to keys of level
   * `admin_realm` and above; null for others.
   */
  readonly jwt_key: string | null
  /**
   * Whether sessions are stored: `managed`, or `unmanaged`, in which a token can't be ended before it expires and
   * sessions can't be listed or read.
   */
  readonly session_type: "managed" | "unmanaged"
  /**
   * The lifetime of a session and its token, in whole minutes: 1 to 527,040 if managed (a year), 1 to 1,052,640 if
   * unmanaged (two years), or 0 for unlimited.
   */
  readonly session_minutes: number
  /**
   * Whether logins require a second factor: with `optional`, users who have one are asked for it; with `required`,
   * everyone else must also set one up to log in; with `off`, nobody is asked. Existing second factors stay stored and
   * are asked for when the setting changes back.
   */
  readonly mfa: "optional" | "required" | "off"
  /**
   * Which API keys get the token of a session they read: `all`, or only those of level `write` and above (`write`).
   * Anyone with the token can act as the user.
   */
  readonly session_tokens: "all" | "write"
  /**
   * Whether the event `user.login.failed` for unknown names lists them in `names`, at most 20. Some people type their
   * password into the username field, and then everyone who reads events or receives their webhooks sees it.
   */
  readonly record_unknown_names: boolean
  /**
   * The maximum size of tokens, in bytes: 2,000 to 60,000. Claims that don't fit are left out, in this order: custom
   * attributes and names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then
   * names what is missing.
   */
  readonly jwt_max_bytes: number
  /**
   * The lifetime of a token from a login with an API key, in whole minutes: 1 to 1,052,640 (two years), or 0 for
   * unlimited.
   */
  readonly api_key_minutes: number
  /**
   * How people belong to orgs: `multi_user`, in which an org has members whom its admins invite, or `single_user`, in
   * which users refer each other.
   */
  readonly org_mode: "single_user" | "multi_user"
  /**
   * Who can sign up on the hosted pages: everyone (`open`), only people with an invitation (`invitation`), or nobody
   * uninvited (`closed`). Caps the `signup_mode` of apps.
   */
  readonly signup: "open" | "invitation" | "closed"
  /**
   * The fields of sign-ups on the hosted pages, besides email and password: `username` (only if people have usernames),
   * `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). Fields
   * left out are neither shown nor accepted. An app that requires names or the name of the org shows them anyway.
   */
  readonly signup_fields: ReadonlyArray<string>
  /**
   * How people verify their email when they sign up: not at all (`none`), by an email after the sign-up (`request`), or
   * before it (`preverify`).
   */
  readonly email_verification: "none" | "request" | "preverify"
  /** The locale of emails and pages for users who have not set one, such as `en` or `es`. */
  readonly default_locale: string
  /** The locales that users can choose, in BCP 47, such as `en` or `pt-BR`. */
  readonly available_locales: ReadonlyArray<string>
  /** Links to your own pages about an org or a user, for management interfaces. */
  readonly resource_links: ReadonlyArray<{
    /** The resource that the link is shown for: `org` or `user`. */
    readonly resource: "org" | "user"
    /** The text of the link. */
    readonly title: string
    /** The URL, with unreplaced variables. */
    readonly url: string
  }>
  /** The realm's own rate limits, which replace the defaults; others are left out. */
  readonly limits: Limits
  /** The number of days for which events are stored; null for the deployment's setting. */
  readonly event_retention_days: number | null
  /**
   * The domain that users' passkeys belong to, such as `example.com`: they work on its pages, on those of its
   * subdomains, and on origins listed in its `/.well-known/webauthn`. Null for the login host of the oldest connected
   * app. Passkeys created for one domain don't work for another, so choose it before users have any.
   */
  readonly passkey_rp_id: string | null
  /**
   * The scopes that OAuth clients of the realm can have besides the standard ones, such as `notes:read`, at most 100.
   * Your APIs decide what they allow.
   */
  readonly oauth_scopes: ReadonlyArray<string>
  /**
   * Whether OAuth clients can register themselves: not at all (`off`), with a key of level `admin_realm` as their
   * initial access token (`token`), or anyone, also by a metadata document (`open`), as MCP clients do. Users must
   * always consent to such a client's access.
   */
  readonly client_registration: "off" | "token" | "open"
  /** The `oauth_scopes` that self-registered clients can request, besides the standard ones. */
  readonly registration_scopes: ReadonlyArray<string>
  /**
   * The resource servers for which self-registered clients can request access tokens, as absolute URIs, at most 20: for
   * example, your MCP servers.
   */
  readonly registration_resources: ReadonlyArray<string>
  /**
   * The roles of members of orgs, as names for sets of permissions. If there are any, the hosted page `/team` is
   * available: owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each
   * other's names.
   */
  readonly roles: ReadonlyArray<{
    /** The displayed name. */
    readonly name: string
    /** The permissions of members with the role. */
    readonly permissions: ReadonlyArray<string>
  }>
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /**
   * What tokens contain besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs;
   * only with `memberships`), `custom` (custom attributes of the user and of everything else that is included).
   */
  readonly jwt_fields: ReadonlyArray<string>
  /** The same as `jwt_key`. Deprecated: use that. */
  readonly jwt_secret: string | null
}
