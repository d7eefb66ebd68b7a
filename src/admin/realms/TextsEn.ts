export const realmTextsEn = {
  realms: "Realms",
  lead: "A realm holds the users, orgs and settings of one product or environment. Realms share nothing.",
  create: "Create realm",
  createLead: "You can change all of this later.",
  created: (name: string) => `${name} was created`,
  basics: "Basics",
  name: "Name",
  reference: "Reference",
  state: "State",
  anyState: "Any state",
  states: { active: "Active", inactive: "Inactive" },
  emptyTitle: "No realms yet",
  emptyText: "Create a realm for your product, then connect your app to it and let people sign up.",
  settings: "Realm settings",
  settingsLead: "Each part is saved by itself.",
  levelName: "admin_realm",
  sections: {
    people: "People and sign-up",
    peopleLead: "Who can join, and what they are asked for.",
    login: "Login and sessions",
    loginLead: "How long logins last, and what they take.",
    tokens: "Tokens",
    tokensLead: "What your backend verifies on each request.",
    apiKeys: "API keys of users",
    apiKeysLead: "Keys that your users make for their own programs.",
    languages: "Languages",
    oauth: "OAuth clients",
    oauthLead: "What apps that use OpenID Connect can ask for, and who may register them.",
    events: "Events",
    links: "Links to your own pages",
    linksLead: "Shown as buttons on the pages of users and orgs in this console.",
    custom: "Custom attributes",
    roles: "Roles in orgs",
    rolesLead:
      "Names for sets of permissions. With at least one role, owners and admins of an org manage its team on the hosted page /team."
  },
  roles: {
    role: "Role",
    permissions: "Permissions",
    permissionsHelp: "One on each line, such as billing:read. With ar:admin, the role manages the team.",
    add: "Add role",
    none: "No roles yet: the page /team is off."
  },
  links: {
    resource: "Shown for",
    title: "Text",
    url: "URL",
    urlHelp: "{{id}}, {{reference}} and {{realm_id}} stand for those of the user or org.",
    add: "Add link",
    remove: "Remove",
    org: "Orgs",
    user: "Users",
    none: "No links yet."
  },
  danger: "Danger zone",
  reset: "Reset realm",
  resetText:
    "Deletes everything that you choose below. Settings, keys and events stay. What is created from now on is kept.",
  resetParts: {
    users: "All users, with their sessions, credentials and memberships",
    orgs: "All orgs, with their members and invitations",
    auth_providers: "External login methods; the built-in ones get their defaults back",
    app_hooks: "Webhooks and mail templates; the default ones are made anew",
    login_policies: "Connected apps and OAuth clients"
  },
  resetTitle: (name: string) => `Reset ${name}?`,
  resetDone: (name: string) => `${name} is being reset`,
  delete: "Delete realm",
  deleteText: "The realm and everything in it can no longer be found, effective immediately. This can't be undone.",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleted: (name: string) => `${name} was deleted`,
  deactivate: "Deactivate",
  activate: "Activate",
  limits: "Rate limits",
  limitsLead: "How often something may be done before it is answered with 429. An empty field has the default.",
  limitsReset: "Restore all defaults",
  limitsRestored: "All limits have their defaults",
  limitGroups: { management: "Management API", login: "Logins", oauth: "OAuth", mails: "Mails", bulk: "Bulk" },
  defaultIs: (value: string) => `Default: ${value}`,
  within: (count: string) => `in ${count}`,
  seconds: (count: number) => `${count} seconds`,
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
  signupFields: { username: "Username", names: "First and last name", org_name: "Name of the org" },
  jwtScopes: { "ar.orgs": "Memberships and orgs", "ar.custom": "Custom attributes" },
  choices: {
    active: "Active",
    inactive: "Inactive: nobody can log in",
    live: "Live",
    test: "Test",
    standard: "Usernames, beside e-mails",
    email: "E-mail only",
    hash: "Hashed: shown once, when made",
    encrypt: "Encrypted: reads show them",
    rs256: "RS256: a public key verifies",
    hs256: "HS256: a shared secret verifies",
    v2: "Version 2 only",
    both: "Versions 1 and 2",
    managed: "Stored: can be listed and ended",
    unmanaged: "Not stored: end when they expire",
    optional: "Optional: asked of people who have one",
    required: "Required: everybody sets one up",
    off: "Off",
    all: "Every key that may read",
    write: "Keys of level write and above",
    multi_user: "Orgs have members",
    single_user: "One user per org, who refers others",
    open: "Anyone",
    invitation: "People with an invitation",
    closed: "Nobody uninvited",
    none: "Not at all",
    request: "By a mail after signing up",
    preverify: "By a mail before signing up",
    token: "Programs with an initial access token"
  },
  fields: {
    name: { label: "Name", help: "People see it on pages and in mails." },
    state: {
      label: "State",
      help: "While inactive, logins and sign-ups are refused; tokens still verify, and management works."
    },
    environment: { label: "Environment", help: "A label for you. The realm works the same either way." },
    reference: { label: "Reference", help: "Your own ID of this realm." },
    username_validation_human: { label: "How people are named", help: "With e-mail only, people have no username." },
    require_unique_emails: {
      label: "Each e-mail belongs to one user",
      help: "If not, nobody can log in with an e-mail that several users have."
    },
    api_key_prefix: { label: "Prefix", help: "What generated keys begin with, so that leaked ones are recognized." },
    api_key_policy: { label: "Storage", help: "Applies to keys made from now on." },
    jwt_max_bytes: {
      label: "Largest token in bytes",
      help: "What doesn’t fit is left out: custom attributes and names of orgs first. Browsers drop large headers and cookies."
    },
    record_unknown_names: {
      label: "Record names that nobody has",
      help: "Events tell which unknown names were tried at logins. Some people type their password there, and whoever reads events sees it."
    },
    api_key_minutes: {
      label: "Token lifetime in minutes",
      help: "How long the token of a login with an API key is valid. 0 for no end."
    },
    jwt_algo: { label: "Signature", help: "A change makes a new key. The old ones go on verifying for 6 to 24 hours." },
    jwt_claims: {
      label: "Claims",
      help: "Claims of version 1 make tokens larger. Needed only by backends that still read them."
    },
    jwt_scopes: { label: "What tokens contain besides the profile", help: "More content makes every request larger." },
    session_type: { label: "Sessions", help: "Stored sessions can be ended before they expire." },
    session_minutes: {
      label: "Session lifetime in minutes",
      help: "360 are six hours, 43200 are 30 days. 0 for no end."
    },
    session_tokens: { label: "Who may read session tokens", help: "Whoever has a token can act as the user." },
    mfa: { label: "Second factor", help: "What people have set up stays, also while it isn't asked for." },
    org_mode: { label: "Orgs", help: "How people belong to orgs." },
    signup: { label: "Who can sign up", help: "On the hosted pages. Your backend can always create users." },
    signup_fields: { label: "What sign-ups ask for", help: "Besides e-mail and password." },
    email_verification: { label: "How new e-mails are verified", help: "At a sign-up on the hosted pages." },
    default_locale: { label: "Default language", help: "For people who have none of their own." },
    available_locales: { label: "Languages that people can have", help: "One on each line, such as en or es." },
    event_retention_days: {
      label: "Days to keep events",
      help: "35 or more. Empty: as long as the service keeps them."
    },
    passkey_rp_id: {
      label: "Domain of passkeys",
      help: "Such as example.com. Choose before people have passkeys: those made for one domain don't work for another."
    },
    oauth_scopes: {
      label: "Your own scopes",
      help: "One on each line, such as notes:read. Your APIs decide what they allow."
    },
    client_registration: {
      label: "Who can register clients",
      help: "MCP clients register themselves. People are always asked what such a client may do."
    },
    registration_scopes: {
      label: "Scopes for clients that registered themselves",
      help: "Which of your own scopes they can ask for."
    },
    registration_resources: {
      label: "Resource servers for them",
      help: "The URIs of your MCP servers or APIs, one on each line."
    }
  },
  limitFields: {
    reads: "Reads of one key",
    writes: "Writes of one key",
    reads_total: "Reads of all keys of the realm",
    writes_total: "Writes of all keys of the realm",
    provider_tests: "Tests of login methods",
    attempts: "Attempts with a password or code for one user",
    email_codes: "Wrong e-mail codes for one user",
    hosted: "Uses of credentials from one address",
    hosted_sustained: "The same, over a longer time",
    passkey_challenges: "Logins with passkeys begun from one address",
    oauth: "Requests of one client from one address",
    client_secrets: "Failed authentications of one client from one address",
    open_requests: "Logins begun at OAuth endpoints from one address",
    open_requests_total: "The same, in the whole realm",
    user_codes: "Wrong device codes of one user or address",
    registrations: "Clients that register from one address",
    mails: "Mails to one recipient",
    mails_sustained: "The same, over a longer time",
    visitor_mails: "Mails that people cause without a key",
    visitor_mails_sustained: "The same, over a longer time",
    invitations: "Invitations to one org",
    imports: "Imports of users",
    exports: "Exports of users"
  }
}
