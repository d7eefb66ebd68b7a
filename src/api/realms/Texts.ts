import { reference } from "../Description.ts"

/** The descriptions of a realm's settings, for requests and responses. */
export const texts = {
  state:
    "Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are refused while tokens still verify and management still works.",
  reference,
  custom: "Your own attributes of the realm.",
  environment: "What the realm is for: `live` or `test`. A mark for yourself: it changes nothing.",
  username_validation_human:
    "How people's usernames work: `standard`, or `email`, in which people have no username and log in with their email.",
  require_unique_emails:
    "Whether each email can belong to one user only. If not, nobody can log in or be looked up by an email that several users have.",
  api_key_prefix: "What generated API keys of users begin with; null for nothing.",
  api_key_policy:
    "How API keys of users are stored: as a `hash`, so that a generated key is shown once, or so that reads show it (`encrypt`).",
  jwt_fields:
    "What tokens contain besides the user's profile: `memberships` (permissions and org IDs), `orgs` (names of orgs; only with `memberships`), `custom` (custom attributes of the user and of what else is included).",
  jwt_scopes:
    "What tokens contain besides the user's profile: `ar.orgs` (memberships and orgs), `ar.custom` (custom attributes of the user and of what else is included).",
  jwt_claims: "Which claims tokens have: those of `v2` only, or also those of `/v1` (`both`), which makes them larger.",
  session_type:
    "Whether sessions are stored: `managed`, or `unmanaged`, in which a token can't be ended before it expires and sessions can't be listed or read.",
  session_minutes:
    "For how many whole minutes a session and its token are valid: 1 to 527,040 if managed (a year), 1 to 1,052,640 if unmanaged (two years), or 0 for no end.",
  mfa: "Whether logins ask for a second factor: `optional` asks people who have one, `required` also has everybody else set one up before they are logged in, `off` asks nobody; what people have set up stays, for when it is asked for again.",
  session_tokens:
    "Which keys get the token of a session they read: `all`, or only those of level `write` and above (`write`). Whoever has the token can act as the user.",
  jwt_max_bytes:
    "The longest token, in bytes: 2,000 to 60,000. What doesn't fit is left out, in this order: custom attributes and names of orgs, the user's custom attributes, the newest memberships. The claim `ar.truncated` then names what is missing.",
  record_unknown_names:
    "Whether the event `user.login.failed` of unknown names tells them in `names`, 20 at most. Some people type their password where their name belongs, and everybody who reads events or gets their webhooks sees it then.",
  api_key_minutes:
    "For how many whole minutes the token of a login with an API key is valid: 1 to 1,052,640 (two years), or 0 for no end.",
  org_mode:
    "How people belong to orgs: `multi_user`, in which an org has members whom its admins invite, or `single_user`, in which users refer each other.",
  signup:
    "Who can sign up on the hosted pages: everyone (`open`), only people with an invitation (`invitation`), or nobody uninvited (`closed`). Caps the `signup_mode` of apps.",
  signup_fields:
    "What sign-ups on the hosted pages ask for besides email and password: `username` (only if people have usernames), `names` (optional, unless the app has `require_names`), `org_name` (only with the `signup_mode` `user_org`). What is left out is neither asked for nor taken. An app that requires names or the name of the org asks for them anyway.",
  email_verification:
    "How people who sign up prove their email: not at all (`none`), by a mail after the sign-up (`request`), or before it (`preverify`).",
  default_locale: "The locale of mails and pages for people who have none of their own, such as `en` or `es`.",
  available_locales: "The locales that people can have, in BCP 47, such as `en` or `pt-BR`.",
  passkey_rp_id:
    "The domain that users' passkeys belong to, such as `example.com`: they work on its pages, on those of its subdomains, and on those that its `/.well-known/webauthn` names. Null for the login host of the oldest connected app. Passkeys made for one domain don't work for another, so choose before people have any.",
  oauth_scopes:
    "The scopes that OAuth clients of the realm can have besides the standard ones, such as `notes:read`, at most 100. Your APIs decide what they allow.",
  client_registration:
    "Whether OAuth clients may register themselves: not at all (`off`), with a key of level `admin_realm` as their initial access token (`token`), or anyone, also by a metadata document (`open`), as MCP clients do. People are always asked what such a client may do.",
  registration_scopes:
    "Which of the `oauth_scopes` clients that registered themselves can ask for, besides the standard ones.",
  registration_resources:
    "The resource servers for which clients that registered themselves can ask for access tokens, as absolute URIs, at most 20: your MCP servers.",
  resource_links: "Links to your own pages about an org or a user, for management interfaces.",
  roles:
    "The roles of members of orgs, as names for sets of permissions. Where there are any, the hosted page `/team` is on: owners (`ar:owner`) and admins (`ar:admin`) of an org manage its team there, and members see each other's names."
} as const
