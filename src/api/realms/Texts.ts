import { reference } from "../Description.ts"

/** The descriptions of a realm's settings, for requests and responses. */
export const texts = {
  state:
    "Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are rejected while tokens still verify and management still works.",
  reference,
  custom: "Your own attributes of the realm.",
  environment: "The purpose of the realm: `live` or `test`. For your information only; it has no effect.",
  username_validation_human:
    "The type of usernames: `standard`, or `email`, with which people have no username and log in with their email.",
  require_unique_emails:
    "Whether an email can belong to only one user. If not, nobody can log in or be looked up by an email that several users share.",
  api_key_prefix: "The prefix of users' generated API keys; null for none.",
  api_key_policy:
    "How API keys of users are stored: as a `hash`, so that a generated key is shown only once, or encrypted, so that reads can show it (`encrypt`).",
  jwt_fields:
    "What tokens contain besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs; only with `memberships`), `custom` (custom attributes of the user and of everything else that is included).",
  jwt_scopes:
    "What tokens contain besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of the user and of everything else that is included).",
  jwt_claims: "Which claims tokens have: those of `v2` only, or also those of `/v1` (`both`), which makes them larger.",
  session_type:
    "Whether sessions are stored: `managed`, or `unmanaged`, in which a token can't be ended before it expires and sessions can't be listed or read.",
  session_minutes:
    "The lifetime of a session and its token, in whole minutes: 1 to 527,040 if managed (a year), 1 to 1,052,640 if unmanaged (two years), or 0 for unlimited.",
  mfa: "Whether logins require a second factor: with `optional`, users who have one are asked for it; with `required`, everyone else must also set one up to log in; with `off`, nobody is asked. Existing second factors stay stored and are asked for when the setting changes back.",
  session_tokens:
    "Which API keys get the token of a session they read: `all`, or only those of level `write` and above (`write`). Anyone with the token can act as the user.",
  jwt_max_bytes:
    "The maximum size of tokens, in bytes: 2,000 to 60,000. Claims that don't fit are left out, in this order: custom attributes and names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then names what is missing.",
  record_unknown_names:
    "Whether the event `user.login.failed` for unknown names lists them in `names`, at most 20. Some people type their password into the username field, and then everyone who reads events or receives their webhooks sees it.",
  api_key_minutes:
    "The lifetime of a token from a login with an API key, in whole minutes: 1 to 1,052,640 (two years), or 0 for unlimited.",
  org_mode:
    "How people belong to orgs: `multi_user`, in which an org has members whom its admins invite, or `single_user`, in which users refer each other.",
  signup:
    "Who can sign up on the hosted pages: everyone (`open`), only people with an invitation (`invitation`), or nobody uninvited (`closed`). Caps the `signup_mode` of apps.",
  signup_fields:
    "The fields of sign-ups on the hosted pages, besides email and password: `username` (only if people have usernames), `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). Fields left out are neither shown nor accepted. An app that requires names or the name of the org shows them anyway.",
  email_verification:
    "How people verify their email when they sign up: not at all (`none`), by an email after the sign-up (`request`), or before it (`preverify`).",
  default_locale: "The locale of emails and pages for users who have not set one, such as `en` or `es`.",
  available_locales: "The locales that users can choose, in BCP 47, such as `en` or `pt-BR`.",
  passkey_rp_id:
    "The domain that users' passkeys belong to, such as `example.com`: they work on its pages, on those of its subdomains, and on origins listed in its `/.well-known/webauthn`. Null for the login host of the oldest connected app. Passkeys created for one domain don't work for another, so choose it before users have any.",
  oauth_scopes:
    "The scopes that OAuth clients of the realm can have besides the standard ones, such as `notes:read`, at most 100. Your APIs decide what they allow.",
  client_registration:
    "Whether OAuth clients can register themselves: not at all (`off`), with a key of level `admin_realm` as their initial access token (`token`), or anyone, also by a metadata document (`open`), as MCP clients do. Users must always consent to such a client's access.",
  registration_scopes: "The `oauth_scopes` that self-registered clients can request, besides the standard ones.",
  registration_resources:
    "The resource servers for which self-registered clients can request access tokens, as absolute URIs, at most 20: for example, your MCP servers.",
  resource_links: "Links to your own pages about an org or a user, for management interfaces.",
  roles:
    "The roles of members of orgs, as names for sets of permissions. If there are any, the hosted page `/team` is available: owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each other's names."
} as const
