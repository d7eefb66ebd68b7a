// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { Limits } from "./Limits.ts"
import type { RealmRole } from "./RealmRole.ts"
import type { ResourceLink } from "./ResourceLink.ts"

/** The settings of a realm. */
export interface RealmInput {
  /** The name shown on pages and in emails. Required for a new realm. */
  readonly name?: string | null | undefined
  /**
   * Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are rejected while tokens still
   * verify and management still works. Default: `active`.
   */
  readonly state?: "active" | "inactive" | undefined
  /** Your own ID for the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing ones, so send them all. Default, and null: none. */
  readonly custom?: Custom | undefined
  /** The purpose of the realm: `live` or `test`. For your information only; it has no effect. Default: `live`. */
  readonly environment?: "live" | "test" | undefined
  /**
   * The type of usernames: `standard`, or `email`, with which people have no username and log in with their email.
   * Default: `standard`.
   */
  readonly username_validation_human?: "standard" | "email" | undefined
  /**
   * Whether an email can belong to only one user. If not, nobody can log in or be looked up by an email that several
   * users share. Can't be turned on while users share one. Default: true.
   */
  readonly require_unique_emails?: boolean | undefined
  /** The prefix of users' generated API keys; null for none. */
  readonly api_key_prefix?: string | null | undefined
  /**
   * How API keys of users are stored: as a `hash`, so that a generated key is shown only once, or encrypted, so that
   * reads can show it (`encrypt`). Applies to keys written from then on. Default: `hash`.
   */
  readonly api_key_policy?: "encrypt" | "hash" | undefined
  /**
   * The algorithm that signs tokens: `hs256` (a shared secret) or `rs256` (a public key). A change creates a key and
   * expires the others. Default: `rs256`; under `/v1`, `hs256`.
   */
  readonly jwt_algo?: "hs256" | "rs256" | undefined
  /**
   * What tokens contain besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs;
   * only with `memberships`), `custom` (custom attributes of the user and of everything else that is included).
   * Default: none.
   */
  readonly jwt_fields?: ReadonlyArray<"custom" | "memberships" | "orgs"> | "custom" | "memberships" | "orgs" | undefined
  /**
   * What tokens contain besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of
   * the user and of everything else that is included). Default: none.
   */
  readonly jwt_scopes?: ReadonlyArray<"ar.orgs" | "ar.custom"> | "ar.orgs" | "ar.custom" | undefined
  /**
   * Which claims tokens have: those of `v2` only, or also those of `/v1` (`both`), which makes them larger. Default:
   * `v2`; under `/v1`, `both`.
   */
  readonly jwt_claims?: "v2" | "both" | undefined
  /**
   * Whether sessions are stored: `managed`, or `unmanaged`, in which a token can't be ended before it expires and
   * sessions can't be listed or read. Default: `managed`.
   */
  readonly session_type?: "managed" | "unmanaged" | undefined
  /**
   * The lifetime of a session and its token, in whole minutes: 1 to 527,040 if managed (a year), 1 to 1,052,640 if
   * unmanaged (two years), or 0 for unlimited. Default: 360.
   */
  readonly session_minutes?: number | undefined
  /**
   * Whether logins require a second factor: with `optional`, users who have one are asked for it; with `required`,
   * everyone else must also set one up to log in; with `off`, nobody is asked. Existing second factors stay stored and
   * are asked for when the setting changes back. Default: `optional`.
   */
  readonly mfa?: "optional" | "required" | "off" | undefined
  /**
   * Which API keys get the token of a session they read: `all`, or only those of level `write` and above (`write`).
   * Anyone with the token can act as the user. Default: `all`.
   */
  readonly session_tokens?: "all" | "write" | undefined
  /**
   * Whether the event `user.login.failed` for unknown names lists them in `names`, at most 20. Some people type their
   * password into the username field, and then everyone who reads events or receives their webhooks sees it. Default:
   * false.
   */
  readonly record_unknown_names?: boolean | undefined
  /**
   * The maximum size of tokens, in bytes: 2,000 to 60,000. Claims that don't fit are left out, in this order: custom
   * attributes and names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then
   * names what is missing. Default: 12,000.
   */
  readonly jwt_max_bytes?: number | undefined
  /**
   * The lifetime of a token from a login with an API key, in whole minutes: 1 to 1,052,640 (two years), or 0 for
   * unlimited. Default: 0.
   */
  readonly api_key_minutes?: number | undefined
  /**
   * How people belong to orgs: `multi_user`, in which an org has members whom its admins invite, or `single_user`, in
   * which users refer each other. Default: `multi_user`.
   */
  readonly org_mode?: "single_user" | "multi_user" | undefined
  /**
   * Who can sign up on the hosted pages: everyone (`open`), only people with an invitation (`invitation`), or nobody
   * uninvited (`closed`). Caps the `signup_mode` of apps. Default: `open`.
   */
  readonly signup?: "open" | "invitation" | "closed" | undefined
  /**
   * The fields of sign-ups on the hosted pages, besides email and password: `username` (only if people have usernames),
   * `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). Fields
   * left out are neither shown nor accepted. An app that requires names or the name of the org shows them anyway.
   * Default: all three.
   */
  readonly signup_fields?:
    | ReadonlyArray<"username" | "names" | "org_name">
    | "username"
    | "names"
    | "org_name"
    | undefined
  /**
   * How people verify their email when they sign up: not at all (`none`), by an email after the sign-up (`request`), or
   * before it (`preverify`). Default: `none`.
   */
  readonly email_verification?: "none" | "request" | "preverify" | undefined
  /**
   * The locale of emails and pages for users who have not set one, such as `en` or `es`. Must be one of
   * `available_locales`. Default: `en`.
   */
  readonly default_locale?: string | undefined
  /** The locales that users can choose, in BCP 47, such as `en` or `pt-BR`. Default: the `default_locale`. */
  readonly available_locales?: ReadonlyArray<string> | string | undefined
  /**
   * The realm's own rate limits. Replaces all that were set before; limits left out have their defaults. Only a key of
   * level `admin_all_realms` can raise a limit above its default. Null restores all defaults.
   */
  readonly limits?: Limits | null | undefined
  /**
   * The number of days for which events are stored: 35 up to the deployment's setting (by default 365). Default, and
   * null: the deployment's setting.
   */
  readonly event_retention_days?: number | null | undefined
  /**
   * The domain that users' passkeys belong to, such as `example.com`: they work on its pages, on those of its
   * subdomains, and on origins listed in its `/.well-known/webauthn`. Null for the login host of the oldest connected
   * app. Passkeys created for one domain don't work for another, so choose it before users have any. Default: null.
   */
  readonly passkey_rp_id?: string | null | undefined
  /**
   * The scopes that OAuth clients of the realm can have besides the standard ones, such as `notes:read`, at most 100.
   * Your APIs decide what they allow. Default: none.
   */
  readonly oauth_scopes?: ReadonlyArray<string> | string | undefined
  /**
   * Whether OAuth clients can register themselves: not at all (`off`), with a key of level `admin_realm` as their
   * initial access token (`token`), or anyone, also by a metadata document (`open`), as MCP clients do. Users must
   * always consent to such a client's access. Default: `off`.
   */
  readonly client_registration?: "off" | "token" | "open" | undefined
  /** The `oauth_scopes` that self-registered clients can request, besides the standard ones. Default: none. */
  readonly registration_scopes?: ReadonlyArray<string> | string | undefined
  /**
   * The resource servers for which self-registered clients can request access tokens, as absolute URIs, at most 20: for
   * example, your MCP servers. Default: none.
   */
  readonly registration_resources?: ReadonlyArray<string> | string | undefined
  /**
   * The roles of members of orgs, as names for sets of permissions. If there are any, the hosted page `/team` is
   * available: owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each
   * other's names. Default: none.
   */
  readonly roles?: ReadonlyArray<RealmRole> | undefined
  /** Links to your own pages about an org or a user, for management interfaces. Default: none. */
  readonly resource_links?: ReadonlyArray<ResourceLink> | undefined
}
