// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { Limits } from "./Limits.ts"
import type { RealmRole } from "./RealmRole.ts"
import type { ResourceLink } from "./ResourceLink.ts"

/** The settings of a realm. */
export interface RealmInput {
  /** The name, which people see on pages and in mails. Required for a new realm. */
  readonly name?: string | null | undefined
  /**
   * Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are refused while tokens still
   * verify and management still works. Default: `active`.
   */
  readonly state?: "active" | "inactive" | undefined
  /** Your own ID of the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Send all of them: those left out are removed. Default, and null: none. */
  readonly custom?: Custom | undefined
  /** What the realm is for: `live` or `test`. A mark for yourself: it changes nothing. Default: `live`. */
  readonly environment?: "live" | "test" | undefined
  /**
   * How people's usernames work: `standard`, or `email`, in which people have no username and log in with their e-mail.
   * Default: `standard`.
   */
  readonly username_validation_human?: "standard" | "email" | undefined
  /**
   * Whether each e-mail can belong to one user only. If not, nobody can log in or be looked up by an e-mail that
   * several users have. Can't be turned on while users share one. Default: true.
   */
  readonly require_unique_emails?: boolean | undefined
  /** What generated API keys of users begin with; null for nothing. */
  readonly api_key_prefix?: string | null | undefined
  /**
   * How API keys of users are stored: as a `hash`, so that a generated key is shown once, or so that reads show it
   * (`encrypt`). Applies to keys written from then on. Default: `hash`.
   */
  readonly api_key_policy?: "encrypt" | "hash" | undefined
  /**
   * The algorithm that signs tokens: `hs256` (a shared secret) or `rs256` (a public key). A change creates a key and
   * expires the others. Default: `rs256`; under `/v1`, `hs256`.
   */
  readonly jwt_algo?: "hs256" | "rs256" | undefined
  /**
   * What tokens contain besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs;
   * only with `memberships`), `custom` (custom attributes of the user and of what else is included). Default: none.
   */
  readonly jwt_fields?: ReadonlyArray<"custom" | "memberships" | "orgs"> | "custom" | "memberships" | "orgs" | undefined
  /**
   * What tokens contain besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of
   * the user and of what else is included). Default: none.
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
   * For how many whole minutes a session and its token are valid: 1 to 527,040 if managed (a year), 1 to 1,052,640 if
   * unmanaged (two years), or 0 for no end. Default: 360.
   */
  readonly session_minutes?: number | undefined
  /**
   * Whether logins ask for a second factor: `optional` asks people who have one, `required` also has everybody else set
   * one up before they are logged in, `off` asks nobody; what people have set up stays, for when it is asked for again.
   * Default: `optional`.
   */
  readonly mfa?: "optional" | "required" | "off" | undefined
  /**
   * Which keys get the token of a session they read: `all`, or only those of level `write` and above (`write`). Whoever
   * has the token can act as the user. Default: `all`.
   */
  readonly session_tokens?: "all" | "write" | undefined
  /**
   * Whether the event `user.login.failed` of unknown names tells them in `names`, 20 at most. Some people type their
   * password where their name belongs, and everybody who reads events or gets their webhooks sees it then. Default:
   * false.
   */
  readonly record_unknown_names?: boolean | undefined
  /**
   * The longest token, in bytes: 2,000 to 60,000. What doesn't fit is left out, in this order: custom attributes and
   * names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then names what is
   * missing. Default: 12,000.
   */
  readonly jwt_max_bytes?: number | undefined
  /**
   * For how many whole minutes the token of a login with an API key is valid: 1 to 1,052,640 (two years), or 0 for no
   * end. Default: 0.
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
   * What sign-ups on the hosted pages ask for besides e-mail and password: `username` (only if people have usernames),
   * `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). What
   * is left out is neither asked for nor taken. An app that requires names or the name of the org asks for them anyway.
   * Default: all three.
   */
  readonly signup_fields?:
    | ReadonlyArray<"username" | "names" | "org_name">
    | "username"
    | "names"
    | "org_name"
    | undefined
  /**
   * How people who sign up prove their e-mail: not at all (`none`), by a mail after the sign-up (`request`), or before
   * it (`preverify`). Default: `none`.
   */
  readonly email_verification?: "none" | "request" | "preverify" | undefined
  /**
   * The locale of mails and pages for people who have none of their own, such as `en` or `es`. Must be one of
   * `available_locales`. Default: `en`.
   */
  readonly default_locale?: string | undefined
  /** The locales that people can have, in BCP 47, such as `en` or `pt-BR`. Default: the `default_locale`. */
  readonly available_locales?: ReadonlyArray<string> | string | undefined
  /**
   * The realm's own rate limits, in place of all that were set before; what is left out has its default. Only a key of
   * level `admin_all_realms` can raise one above its default. Null restores all defaults.
   */
  readonly limits?: Limits | null | undefined
  /**
   * The whole days for which events are kept: 35 up to the number of the deployment (365, unless it was changed).
   * Default, and null: as long as the deployment keeps them.
   */
  readonly event_retention_days?: number | null | undefined
  /**
   * The domain that users' passkeys belong to, such as `example.com`: they work on its pages, on those of its
   * subdomains, and on those that its `/.well-known/webauthn` names. Null for the login host of the oldest connected
   * app. Passkeys made for one domain don't work for another, so choose before people have any. Default: null.
   */
  readonly passkey_rp_id?: string | null | undefined
  /**
   * The scopes that OAuth clients of the realm can have besides the standard ones, such as `notes:read`, at most 100.
   * Your APIs decide what they allow. Default: none.
   */
  readonly oauth_scopes?: ReadonlyArray<string> | string | undefined
  /**
   * Whether OAuth clients may register themselves: not at all (`off`), with a key of level `admin_realm` as their
   * initial access token (`token`), or anyone, also by a metadata document (`open`), as MCP clients do. People are
   * always asked what such a client may do. Default: `off`.
   */
  readonly client_registration?: "off" | "token" | "open" | undefined
  /**
   * Which of the `oauth_scopes` clients that registered themselves can ask for, besides the standard ones. Default:
   * none.
   */
  readonly registration_scopes?: ReadonlyArray<string> | string | undefined
  /**
   * The resource servers for which clients that registered themselves can ask for access tokens, as absolute URIs, at
   * most 20: your MCP servers. Default: none.
   */
  readonly registration_resources?: ReadonlyArray<string> | string | undefined
  /**
   * The roles of members of orgs, as names for sets of permissions. Where there are any, the hosted page `/team` is on:
   * owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each other's names.
   * Default: none.
   */
  readonly roles?: ReadonlyArray<RealmRole> | undefined
  /** Links to your own pages about an org or a user, for management interfaces. Default: none. */
  readonly resource_links?: ReadonlyArray<ResourceLink> | undefined
}
