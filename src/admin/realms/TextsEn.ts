export const realmTextsEn = {
  realms: "Realms",
  lead: "A realm holds the users, orgs and settings of one product or environment. Realms share nothing.",
  create: "Create realm",
  createLead: "You can change all of this later.",
  created: (name: string) => `${name} created`,
  basics: "Basics",
  name: "Name",
  reference: "Reference",
  state: "State",
  anyState: "Any state",
  states: { active: "Active", inactive: "Inactive" },
  emptyTitle: "No realms yet",
  emptyText: "Create a realm for your product, then connect your app to it and let people sign up.",
  settings: "Realm settings",
  settingsLead: "Each section is saved separately.",
  sections: {
    people: "People and sign-up",
    peopleLead: "Who can sign up, and what they must provide.",
    login: "Login and sessions",
    loginLead: "How long sessions last, and what a login requires.",
    tokens: "Tokens",
    tokensLead: "The tokens that your backend verifies on each request.",
    apiKeys: "API keys of users",
    apiKeysLead: "Keys that your users create for their own programs.",
    languages: "Languages",
    oauth: "OAuth clients",
    oauthLead: "What OpenID Connect apps can request, and who can register them.",
    events: "Events",
    links: "Links to your own pages",
    linksLead: "Shown as buttons on the pages of users and orgs in this console.",
    custom: "Custom attributes",
    roles: "Roles in orgs",
    rolesLead:
      "A role is a named set of permissions. If there is at least one role, org owners and admins can manage their team on the hosted /team page."
  },
  roles: {
    role: "Role",
    permissions: "Permissions",
    permissionsHelp: "One per line, such as billing:read. Roles with ar:admin can manage the team.",
    add: "Add role",
    none: "No roles yet. The /team page is off."
  },
  links: {
    resource: "Shown for",
    title: "Text",
    url: "URL",
    urlHelp: "{{id}}, {{reference}} and {{realm_id}} are replaced with the values of the user or org.",
    add: "Add link",
    remove: "Remove",
    org: "Orgs",
    user: "Users",
    none: "No links yet."
  },
  danger: "Danger zone",
  reset: "Reset realm",
  resetText:
    "Deletes everything you choose below. Settings, keys and events aren't deleted, and neither is anything created from now on.",
  resetParts: {
    users: "All users, with their sessions, credentials and memberships",
    orgs: "All orgs, with their members and invitations",
    auth_providers: "External login methods; built-in methods are reset to their defaults",
    app_hooks: "Webhooks and email templates; the default templates are recreated",
    login_policies: "Connected apps and OAuth clients"
  },
  resetTitle: (name: string) => `Reset ${name}?`,
  resetDone: (name: string) => `${name} is being reset`,
  delete: "Delete realm",
  deleteText: "Deletes the realm and everything in it immediately. This can't be undone.",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleted: (name: string) => `${name} deleted`,
  deactivate: "Deactivate",
  activate: "Activate",
  limits: "Rate limits",
  limitsLead: "Requests over a limit get 429. Leave a field empty to use the default.",
  searchSettings: "Search settings",
  onThisPage: "On this page",
  noSettingFound: "No setting found.",
  differs: (standard: string) => `Changed. Default: ${standard}`,
  resetToDefault: "Reset to default",
  limitsReset: "Restore defaults",
  limitsRestored: "Default limits restored",
  limitGroups: {
    management: "Management API",
    login: "Logins",
    oauth: "OAuth",
    mails: "Emails",
    bulk: "Imports and exports"
  },
  defaultIs: (value: string) => `Default: ${value}`,
  within: (count: string) => `per ${count}`,
  seconds: (count: number) => `${count} seconds`,
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
  signupFields: { username: "Username", names: "First and last name", org_name: "Org name" },
  jwtScopes: { "ar.orgs": "Memberships and orgs", "ar.custom": "Custom attributes" },
  choices: {
    active: "Active",
    inactive: "Inactive: nobody can log in",
    live: "Live",
    test: "Test",
    standard: "Email or username",
    email: "Email only",
    hash: "Hashed: shown once, when created",
    encrypt: "Encrypted: can be read later",
    rs256: "RS256: a public key verifies",
    hs256: "HS256: a shared secret verifies",
    v2: "Version 2 only",
    both: "Versions 1 and 2",
    managed: "Stored: can be listed and ended",
    unmanaged: "Not stored: valid until they expire",
    optional: "Optional: for users who have one",
    required: "Required: everyone must set one up",
    off: "Off",
    all: "All API keys",
    write: "API keys with level write or higher",
    multi_user: "Orgs have members",
    single_user: "One user per org, who can refer others",
    open: "Anyone",
    invitation: "People with an invitation",
    closed: "Nobody without an invitation",
    none: "Not verified",
    request: "By email, after sign-up",
    preverify: "By email, before sign-up",
    token: "Programs with an initial access token"
  },
  fields: {
    name: { label: "Name", help: "Shown on pages and in emails." },
    state: {
      label: "State",
      help: "In an inactive realm, nobody can log in or sign up. Tokens still verify, and you can still manage the realm."
    },
    environment: { label: "Environment", help: "Only a label. The realm works the same either way." },
    reference: { label: "Reference", help: "Your own ID for this realm." },
    username_validation_human: { label: "Login identifier", help: "With “Email only”, users have no username." },
    require_unique_emails: {
      label: "Each email belongs to one user",
      help: "If off, nobody can log in with an email that several users share."
    },
    api_key_prefix: { label: "Prefix", help: "The start of generated keys, so leaked keys can be recognized." },
    api_key_policy: { label: "Storage", help: "Applies to keys created from now on." },
    jwt_max_bytes: {
      label: "Maximum token size in bytes",
      help: "Claims that don’t fit are left out, custom attributes and org names first. Browsers drop large headers and cookies."
    },
    record_unknown_names: {
      label: "Record unknown login names",
      help: "Events include unknown names used in failed logins. Some people accidentally type their password there, so it may become visible in events."
    },
    api_key_minutes: {
      label: "Token lifetime in minutes",
      help: "How long a token from an API key login is valid. 0 for no expiry."
    },
    jwt_algo: { label: "Signature", help: "A change creates a new key. Old keys still verify for 6 to 24 hours." },
    jwt_claims: {
      label: "Claims",
      help: "Version 1 claims make tokens larger. Only include them if your backend still reads them."
    },
    jwt_scopes: { label: "Token contents besides the profile", help: "Larger tokens make every request larger." },
    session_type: { label: "Sessions", help: "Stored sessions can be ended before they expire." },
    session_minutes: {
      label: "Session lifetime in minutes",
      help: "360 is 6 hours, 43200 is 30 days. 0 for no expiry."
    },
    session_tokens: { label: "Who can read session tokens", help: "Anyone with a token can act as the user." },
    mfa: {
      label: "Second factor",
      help: "If you turn it off, the second factors that users have set up aren't deleted."
    },
    trusted_devices_days: {
      label: "Trusted devices: days without a second factor",
      help: "Users can tick “Trust this device” on the login page and skip the second factor there for 1 to 90 days. Leave empty to always ask for it."
    },
    org_mode: { label: "Orgs", help: "How users belong to orgs." },
    signup: { label: "Who can sign up", help: "On the hosted pages. Your backend can always create users." },
    signup_fields: { label: "Sign-up fields", help: "In addition to email and password." },
    email_verification: { label: "Email verification", help: "For sign-ups on the hosted pages." },
    default_locale: { label: "Default language", help: "For users who haven't chosen a language." },
    available_locales: { label: "Available languages", help: "One per line, such as en or es." },
    event_retention_days: {
      label: "Event retention in days",
      help: "At least 35. Leave empty to use the service's retention period."
    },
    account_deletion_days: {
      label: "Account deletion after days",
      help: "Lets users delete their own accounts on the hosted pages. Until the deletion, 0 to 90 days later, they can change their mind. Leave empty to turn it off."
    },
    passkey_rp_id: {
      label: "Passkey domain",
      help: "For example, example.com. Set it before users create passkeys. Passkeys created for one domain don't work on another."
    },
    oauth_scopes: {
      label: "Your own scopes",
      help: "One per line, such as notes:read. Your APIs decide what they allow."
    },
    client_registration: {
      label: "Who can register clients",
      help: "MCP clients register themselves. Users are always asked for consent to a self-registered client."
    },
    registration_scopes: {
      label: "Scopes of self-registered clients",
      help: "Your own scopes that these clients can request."
    },
    registration_resources: {
      label: "Resource servers of self-registered clients",
      help: "The URIs of your MCP servers or APIs, one per line."
    }
  },
  limitFields: {
    reads: "Reads per API key",
    writes: "Writes per API key",
    reads_total: "Reads by all API keys of the realm",
    writes_total: "Writes by all API keys of the realm",
    provider_tests: "Login method tests",
    domain_checks: "Domain checks",
    attempts: "Password and code attempts per user",
    email_codes: "Wrong email codes per user",
    hosted: "Logins and other credential uses per IP address",
    hosted_sustained: "Credential uses per IP address",
    passkey_challenges: "Passkey logins started per IP address",
    oauth: "Requests per client and IP address",
    client_secrets: "Failed authentications per client and IP address",
    open_requests: "OAuth logins started per IP address",
    open_requests_total: "OAuth logins started in the whole realm",
    user_codes: "Wrong device codes per user or IP address",
    registrations: "Client registrations per IP address",
    mails: "Emails per recipient",
    mails_sustained: "Emails per recipient",
    visitor_mails: "Emails requested without an API key",
    visitor_mails_sustained: "Emails requested without an API key",
    invitations: "Invitations per org",
    imports: "User imports",
    exports: "User exports"
  }
}
