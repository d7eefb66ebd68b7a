// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { Limits } from "./Limits.ts"

/** A realm. */
export interface Realm {
  /** The realm's ID, which begins with `rl_`. */
  readonly id: string
  /** The type of the object: always `realm`. */
  readonly object: "realm"
  /** The name, which people see on pages and in mails. */
  readonly name: string
  /**
   * Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are refused while tokens still
   * verify and management still works.
   */
  readonly state: "active" | "inactive"
  /** Your own ID of the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference: string | null
  /** Your own attributes of the realm. */
  readonly custom: Custom
  /** What the realm is for: `live` or `test`. A mark for yourself: it changes nothing. */
  readonly environment: "live" | "test"
  /**
   * How people's usernames work: `standard`, or `email`, in which people have no username and log in with their e-mail.
   */
  readonly username_validation_human: "standard" | "email"
  /**
   * Whether each e-mail can belong to one user only. If not, nobody can log in or be looked up by an e-mail that
   * several users have.
   */
  readonly require_unique_emails: boolean
  /** What generated API keys of users begin with; null for nothing. */
  readonly api_key_prefix: string | null
  /**
   * How API keys of users are stored: as a `hash`, so that a generated key is shown once, or so that reads show it
   * (`encrypt`).
   */
  readonly api_key_policy: "encrypt" | "hash"
  /** The algorithm of the key that signs tokens: `hs256` or `rs256`. */
  readonly jwt_algo: "hs256" | "rs256"
  /** Which claims tokens have: those of `v2` only, or also those of `/v1` (`both`), which makes them larger. */
  readonly jwt_claims: "v2" | "both"
  /**
   * The key that verifies tokens: a public key in PEM (`rs256`), or the secret (`hs256`), which only keys of level
   * `admin_realm` and above see; null for others.
   */
  readonly jwt_key: string | null
  /**
   * Whether sessions are stored: `managed`, or `unmanaged`, in which a token can't be ended before it expires and
   * sessions can't be listed or read.
   */
  readonly session_type: "managed" | "unmanaged"
  /**
   * For how many whole minutes a session and its token are valid: 1 to 527,040 if managed (a year), 1 to 1,052,640 if
   * unmanaged (two years), or 0 for no end.
   */
  readonly session_minutes: number
  /**
   * Whether logins ask for a second factor: `optional` asks people who have one, `required` also has everybody else set
   * one up before they are logged in, `off` asks nobody; what people have set up stays, for when it is asked for again.
   */
  readonly mfa: "optional" | "required" | "off"
  /**
   * Which keys get the token of a session they read: `all`, or only those of level `write` and above (`write`). Whoever
   * has the token can act as the user.
   */
  readonly session_tokens: "all" | "write"
  /**
   * Whether the event `user.login.failed` of unknown names tells them in `names`, 20 at most. Some people type their
   * password where their name belongs, and everybody who reads events or gets their webhooks sees it then.
   */
  readonly record_unknown_names: boolean
  /**
   * The longest token, in bytes: 2,000 to 60,000. What doesn't fit is left out, in this order: custom attributes and
   * names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then names what is
   * missing.
   */
  readonly jwt_max_bytes: number
  /**
   * For how many whole minutes the token of a login with an API key is valid: 1 to 1,052,640 (two years), or 0 for no
   * end.
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
   * What sign-ups on the hosted pages ask for besides e-mail and password: `username` (only if people have usernames),
   * `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). What
   * is left out is neither asked for nor taken. An app that requires names or the name of the org asks for them anyway.
   */
  readonly signup_fields: ReadonlyArray<string>
  /**
   * How people who sign up prove their e-mail: not at all (`none`), by a mail after the sign-up (`request`), or before
   * it (`preverify`).
   */
  readonly email_verification: "none" | "request" | "preverify"
  /** The locale of mails and pages for people who have none of their own, such as `en` or `es`. */
  readonly default_locale: string
  /** The locales that people can have, in BCP 47, such as `en` or `pt-BR`. */
  readonly available_locales: ReadonlyArray<string>
  /** Links to your own pages about an org or a user, for management interfaces. */
  readonly resource_links: ReadonlyArray<{
    /** What the link is shown for: `org` or `user`. */
    readonly resource: "org" | "user"
    /** The text of the link. */
    readonly title: string
    /** The URL, with its variables as they were set. */
    readonly url: string
  }>
  /** The rate limits that the realm has in place of the default ones; others are left out. */
  readonly limits: Limits
  /** The whole days for which events are kept; null if as long as the deployment keeps them. */
  readonly event_retention_days: number | null
  /**
   * The domain that users' passkeys belong to, such as `example.com`: they work on its pages, on those of its
   * subdomains, and on those that its `/.well-known/webauthn` names. Null for the login host of the oldest connected
   * app. Passkeys made for one domain don't work for another, so choose before people have any.
   */
  readonly passkey_rp_id: string | null
  /**
   * The scopes that OAuth clients of the realm can have besides the standard ones, such as `notes:read`, at most 100.
   * Your APIs decide what they allow.
   */
  readonly oauth_scopes: ReadonlyArray<string>
  /**
   * Whether OAuth clients may register themselves: not at all (`off`), with a key of level `admin_realm` as their
   * initial access token (`token`), or anyone, also by a metadata document (`open`), as MCP clients do. People are
   * always asked what such a client may do.
   */
  readonly client_registration: "off" | "token" | "open"
  /** Which of the `oauth_scopes` clients that registered themselves can ask for, besides the standard ones. */
  readonly registration_scopes: ReadonlyArray<string>
  /**
   * The resource servers for which clients that registered themselves can ask for access tokens, as absolute URIs, at
   * most 20: your MCP servers.
   */
  readonly registration_resources: ReadonlyArray<string>
  /**
   * The roles of members of orgs, as names for sets of permissions. Where there are any, the hosted page `/team` is on:
   * owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each other's names.
   */
  readonly roles: ReadonlyArray<{
    /** The name, as people see it. */
    readonly name: string
    /** The permissions that members with the role have. */
    readonly permissions: ReadonlyArray<string>
  }>
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /**
   * What tokens contain besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of
   * the user and of what else is included).
   */
  readonly jwt_scopes: ReadonlyArray<string>
}
