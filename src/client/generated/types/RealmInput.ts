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
   * The realm's state: `active` or `inactive`. An inactive realm rejects logins and sign-ups, but its tokens are still
   * accepted and it can still be managed. Default: `active`.
   */
  readonly state?: "active" | "inactive" | undefined
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing attributes, so send all of them. Null removes them. Default: none. */
  readonly custom?: Custom | undefined
  /** The purpose of the realm: `live` or `test`. For your information only; it has no effect. Default: `live`. */
  readonly environment?: "live" | "test" | undefined
  /**
   * The type of usernames: `standard`, or `email` if people have no username and log in with their email. Default:
   * `standard`.
   */
  readonly username_validation_human?: "standard" | "email" | undefined
  /**
   * Whether an email can belong to only one user. If not, users who share an email can't log in or be looked up by it.
   * Can't be turned on while users share an email. Default: true.
   */
  readonly require_unique_emails?: boolean | undefined
  /** The prefix of users' generated API keys; null for none. */
  readonly api_key_prefix?: string | null | undefined
  /**
   * The storage of users' API keys: hashed (`hash`), so that a generated key is shown only once, or encrypted
   * (`encrypt`), so that reads can return the key. A change only applies to keys written later. Default: `hash`.
   */
  readonly api_key_policy?: "encrypt" | "hash" | undefined
  /**
   * The algorithm that signs tokens: `hs256` (a shared secret) or `rs256` (a public key). A change creates a key and
   * expires the others. Default: `rs256`; under `/v1`, `hs256`.
   */
  readonly jwt_algo?: "hs256" | "rs256" | undefined
  /**
   * Data in tokens besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs; only
   * with `memberships`), `custom` (custom attributes of the user and of all other included resources). Default: none.
   */
  readonly jwt_fields?: ReadonlyArray<"custom" | "memberships" | "orgs"> | "custom" | "memberships" | "orgs" | undefined
  /**
   * Data in tokens besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of the
   * user and of all other included resources). Default: none.
   */
  readonly jwt_scopes?: ReadonlyArray<"ar.orgs" | "ar.custom"> | "ar.orgs" | "ar.custom" | undefined
  /**
   * The claims in tokens: only the claims of `/v2` (`v2`), or also the claims of `/v1` (`both`), which makes tokens
   * larger. Default: `v2`; under `/v1`, `both`.
   */
  readonly jwt_claims?: "v2" | "both" | undefined
  /**
   * Whether sessions are stored (`managed`) or not (`unmanaged`). Without stored sessions, a token can't be revoked
   * before it expires, and sessions can't be listed or read. Default: `managed`.
   */
  readonly session_type?: "managed" | "unmanaged" | undefined
  /**
   * The lifetime of a session and its token, in whole minutes: 1 to 527,040 if managed (a year), 1 to 1,052,640 if
   * unmanaged (two years), or 0 for unlimited. Default: 360.
   */
  readonly session_minutes?: number | undefined
  /**
   * Whether logins require a second factor. With `optional`, users are asked for it if they have one. With `required`,
   * users without one must set it up to log in. With `off`, nobody is asked. Existing second factors stay stored and
   * are used again if the setting is changed back. Default: `optional`.
   */
  readonly mfa?: "optional" | "required" | "off" | undefined
  /**
   * The API keys that can read the tokens of sessions: all keys (`all`), or only keys of level `write` and above
   * (`write`). Anyone with a token can act as the user. Default: `all`.
   */
  readonly session_tokens?: "all" | "write" | undefined
  /**
   * Whether `user.login.failed` events for unknown names list up to 20 of the names in `names`. Some people type their
   * password into the username field; everyone who reads events or receives webhooks can then see it. Default: false.
   */
  readonly record_unknown_names?: boolean | undefined
  /**
   * The maximum size of tokens, in bytes: 2,000 to 60,000. Claims that don't fit are omitted in this order: custom
   * attributes and names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then
   * lists the missing claims. Default: 12,000.
   */
  readonly jwt_max_bytes?: number | undefined
  /**
   * The lifetime of a token from a login with an API key, in whole minutes: 1 to 1,052,640 (two years), or 0 for
   * unlimited. Default: 0.
   */
  readonly api_key_minutes?: number | undefined
  /**
   * The relation of users and orgs: `multi_user`, if an org has members and its admins invite new ones, or
   * `single_user`, if users invite each other to the realm. Default: `multi_user`.
   */
  readonly org_mode?: "single_user" | "multi_user" | undefined
  /**
   * The people who can sign up on the hosted pages: everyone (`open`), or only people with an invitation, which
   * visitors can request (`invitation`) or not (`closed`). Unless it is `open`, it takes precedence over the
   * `signup_mode` of apps, except `none`. Default: `open`.
   */
  readonly signup?: "open" | "invitation" | "closed" | undefined
  /**
   * The fields for sign-ups on the hosted pages, besides email and password: `username` (only if people have
   * usernames), `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode`
   * `user_org`). Fields that are not listed are neither shown nor accepted, except for names and the org's name if the
   * app requires them. Default: all three.
   */
  readonly signup_fields?:
    | ReadonlyArray<"username" | "names" | "org_name">
    | "username"
    | "names"
    | "org_name"
    | undefined
  /**
   * Whether people verify their email when they sign up: not at all (`none`), with an email after the sign-up
   * (`request`), or with an email before it (`preverify`). Default: `none`.
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
   * The realm's own rate limits. Replaces all limits set before; missing limits have their defaults. Only a key of
   * level `admin_all_realms` can raise a limit above its default. Null restores all defaults.
   */
  readonly limits?: Limits | null | undefined
  /**
   * The number of days for which events are stored: 35 up to the deployment's setting (by default 365). Default, and
   * null: the deployment's setting.
   */
  readonly event_retention_days?: number | null | undefined
  /**
   * After how many days an account is deleted that its user asked to delete on the hosted pages: 0 (at once) to 90.
   * Until then, the user can keep it. Null: users can't delete their accounts. A change doesn't affect scheduled
   * deletions. Default: null.
   */
  readonly account_deletion_days?: number | null | undefined
  /**
   * The number of days for which users can trust a browser, from 1 to 90. Until then, password logins in that browser
   * skip the second factor. Null if users can't trust browsers. If you shorten it, the trust in existing browsers ends
   * earlier, too; if you set it to null, it ends immediately. Default: null.
   */
  readonly trusted_devices_days?: number | null | undefined
  /**
   * The domain that users' passkeys belong to, such as `example.com`. The passkeys work on this domain, on its
   * subdomains, and on the origins listed in its `/.well-known/webauthn`. Null for the login host of the oldest
   * connected app. Passkeys created for one domain don't work for another, so choose the domain before users create
   * passkeys. Default: null.
   */
  readonly passkey_rp_id?: string | null | undefined
  /**
   * The scopes that OAuth clients of the realm can have besides the standard scopes, such as `notes:read`. At most 100.
   * Your APIs define their meaning. Default: none.
   */
  readonly oauth_scopes?: ReadonlyArray<string> | string | undefined
  /**
   * Whether OAuth clients can register themselves: no (`off`), only with a key of level `admin_realm` as their initial
   * access token (`token`), or without a key (`open`). With `open`, clients can also use a metadata document, as MCP
   * clients do. Users must always consent to a self-registered client's access. Default: `off`.
   */
  readonly client_registration?: "off" | "token" | "open" | undefined
  /** The `oauth_scopes` that self-registered clients can request, besides the standard scopes. Default: none. */
  readonly registration_scopes?: ReadonlyArray<string> | string | undefined
  /**
   * The resource servers that self-registered clients can request access tokens for, such as your MCP servers, as
   * absolute URIs. At most 20. Default: none.
   */
  readonly registration_resources?: ReadonlyArray<string> | string | undefined
  /**
   * The roles of org members, each of which is a name for a set of permissions. If there are any roles, the hosted page
   * `/team` is available. Owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see
   * each other's names. Default: none.
   */
  readonly roles?: ReadonlyArray<RealmRole> | undefined
  /** Links to your own pages about an org or a user, for management interfaces. Default: none. */
  readonly resource_links?: ReadonlyArray<ResourceLink> | undefined
}
