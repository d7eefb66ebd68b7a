import { reference } from "../Description.ts"

/** The descriptions of a realm's settings, for requests and responses. */
export const texts = {
  state:
    "The realm's state: `active` or `inactive`. An inactive realm rejects logins and sign-ups, but its tokens are still accepted and it can still be managed.",
  reference,
  custom: "Your own attributes of the realm.",
  environment: "The purpose of the realm: `live` or `test`. For your information only; it has no effect.",
  username_validation_human:
    "The type of usernames: `standard`, or `email` if people have no username and log in with their email.",
  require_unique_emails:
    "Whether an email can belong to only one user. If not, users who share an email can't log in or be looked up by it.",
  api_key_prefix: "The prefix of users' generated API keys; null for none.",
  api_key_policy:
    "The storage of users' API keys: hashed (`hash`), so that a generated key is shown only once, or encrypted (`encrypt`), so that reads can return the key.",
  jwt_fields:
    "Data in tokens besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs; only with `memberships`), `custom` (custom attributes of the user and of all other included resources).",
  jwt_scopes:
    "Data in tokens besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of the user and of all other included resources).",
  jwt_claims:
    "The claims in tokens: only the claims of `/v2` (`v2`), or also the claims of `/v1` (`both`), which makes tokens larger.",
  session_type:
    "Whether sessions are stored (`managed`) or not (`unmanaged`). Without stored sessions, a token can't be revoked before it expires, and sessions can't be listed or read.",
  session_minutes:
    "The lifetime of a session and its token, in whole minutes: 1 to 527,040 if managed (a year), 1 to 1,052,640 if unmanaged (two years), or 0 for unlimited.",
  mfa: "Whether logins require a second factor. With `optional`, users are asked for it if they have one. With `required`, users without one must set it up to log in. With `off`, nobody is asked. Existing second factors stay stored and are used again if the setting is changed back.",
  session_tokens:
    "The API keys that can read the tokens of sessions: all keys (`all`), or only keys of level `write` and above (`write`). Anyone with a token can act as the user.",
  jwt_max_bytes:
    "The maximum size of tokens, in bytes: 2,000 to 60,000. Claims that don't fit are omitted in this order: custom attributes and names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then lists the missing claims.",
  record_unknown_names:
    "Whether `user.login.failed` events for unknown names list up to 20 of the names in `names`. Some people type their password into the username field; everyone who reads events or receives webhooks can then see it.",
  api_key_minutes:
    "The lifetime of a token from a login with an API key, in whole minutes: 1 to 1,052,640 (two years), or 0 for unlimited.",
  org_mode:
    "The relation of users and orgs: `multi_user`, if an org has members and its admins invite new ones, or `single_user`, if users invite each other to the realm.",
  signup:
    "The people who can sign up on the hosted pages: everyone (`open`), or only people with an invitation, which visitors can request (`invitation`) or not (`closed`). Unless it is `open`, it takes precedence over the `signup_mode` of apps, except `none`.",
  signup_fields:
    "The fields for sign-ups on the hosted pages, besides email and password: `username` (only if people have usernames), `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). Fields that are not listed are neither shown nor accepted, except for names and the org's name if the app requires them.",
  email_verification:
    "Whether people verify their email when they sign up: not at all (`none`), with an email after the sign-up (`request`), or with an email before it (`preverify`).",
  default_locale: "The locale of emails and pages for users who have not set one, such as `en` or `es`.",
  available_locales: "The locales that users can choose, in BCP 47, such as `en` or `pt-BR`.",
  account_deletion_days:
    "After how many days an account is deleted that its user asked to delete on the hosted pages: 0 (at once) to 90. Until then, the user can keep it. Null: users can't delete their accounts. A change doesn't affect scheduled deletions.",
  trusted_devices_days:
    "The number of days for which users can trust a browser, from 1 to 90. Until then, password logins in that browser skip the second factor. Null if users can't trust browsers. If you shorten it, the trust in existing browsers ends earlier, too; if you set it to null, it ends immediately.",
  passkey_rp_id:
    "The domain that users' passkeys belong to, such as `example.com`. The passkeys work on this domain, on its subdomains, and on the origins listed in its `/.well-known/webauthn`. Null for the login host of the oldest connected app. Passkeys created for one domain don't work for another, so choose the domain before users create passkeys.",
  oauth_scopes:
    "The scopes that OAuth clients of the realm can have besides the standard scopes, such as `notes:read`. At most 100. Your APIs define their meaning.",
  client_registration:
    "Whether OAuth clients can register themselves: no (`off`), only with a key of level `admin_realm` as their initial access token (`token`), or without a key (`open`). With `open`, clients can also use a metadata document, as MCP clients do. Users must always consent to a self-registered client's access.",
  registration_scopes: "The `oauth_scopes` that self-registered clients can request, besides the standard scopes.",
  registration_resources:
    "The resource servers that self-registered clients can request access tokens for, such as your MCP servers, as absolute URIs. At most 20.",
  resource_links: "Links to your own pages about an org or a user, for management interfaces.",
  roles:
    "The roles of org members, each of which is a name for a set of permissions. If there are any roles, the hosted page `/team` is available. Owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each other's names."
} as const
