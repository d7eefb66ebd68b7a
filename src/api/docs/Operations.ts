import { authProviderOperations } from "./AuthProviders.ts"
import { appGroups, appOperations, appParameters } from "./ConnectedApps.ts"
import { externalOperations, externalParameters } from "./ExternalAuthentication.ts"
import { hookOperations, hookParameters } from "./Hooks.ts"
import { loginOperations } from "./Logins.ts"

/** What each operation does, by the last part of its id: `v2.users.list` is `users.list`, unless the whole id is there. */
export const operations: Readonly<Record<string, { readonly summary: string; readonly description?: string }>> = {
  "realms.list": { summary: "List realms", description: "A key locked to a realm sees that one only." },
  "realms.create": {
    summary: "Create a realm",
    description:
      "Makes its signing key and its `password` and `totp` providers. Events: `realm.created`, one `auth_provider.created` for each provider."
  },
  "realms.get": { summary: "Get a realm" },
  "realms.update": { summary: "Update a realm", description: "Only what is given changes. Event: `realm.updated`." },
  "realms.delete": {
    summary: "Delete a realm",
    description: "It and everything in it is unfindable at once. Event: `realm.deleted`."
  },
  "realms.reset": {
    summary: "Reset a realm",
    description:
      "Clears what there is now of `users` and `orgs`, unless they are false, and of `auth_providers`, `app_hooks` and `login_policies`, where they are true. It is unfindable at once and cleared in the background; what is made from now on stays. No event. 409 while another reset is at work."
  },
  "users.list": { summary: "List users", description: "Human ones: `/v1` lists api users." },
  "v1.users.list": { summary: "List users" },
  "users.get": { summary: "Get a user" },
  "v1.users.get": {
    summary: "Get a user",
    description: "An api user's `api_key` from level `write`, where the realm's `api_key_policy` is `encrypt`."
  },
  "v1.users.create": {
    summary: "Create a user",
    description:
      "With `org_ids` or `org`, memberships are built too, each with `permissions`; with `permissions` alone, one without org. `token`: a signup token, whose data goes before the rest. Events: `user.created`; `user.email.verification_requested` or `user.email.verified`; `org.created`; `membership.created` each."
  },
  "v1.users.update": {
    summary: "Update a user",
    description:
      "Only what is given changes. Events: `user.updated`; `user.email.verification_requested` or `user.email.verified`."
  },
  "users.create": {
    summary: "Create a user",
    description:
      "With `org_ids` or `org`, memberships are built too, each with `permissions`. Events: `user.created`; `user.email.verifying` or `user.email.verified`; `org.created`; `membership.created` each."
  },
  "users.update": {
    summary: "Update a user",
    description:
      "Administrative: only what is given changes. Events: `user.updated`; `user.email.updating`, `user.email.verifying`, `user.email.verified`; `session.deleted` for each session that ends."
  },
  "users.delete": {
    summary: "Delete a user",
    description: "Events: `user.deleted`; `membership.deleted` and `session.deleted` each."
  },
  "users.accept_invitation": {
    summary: "Accept an invitation",
    description:
      "For an active human, by the invitation's `token` alone. Joins the invitation's org, or adds its permissions to the membership that is there. Others for the same e-mail and org go with it. Events: `invitation.<type>.accepted`; `membership.created` or `membership.updated`."
  },
  ...loginOperations,
  "user_tokens.get": {
    summary: "Get a signup token",
    description: "As long as it can be used: 24 hours, or until it became a user."
  },
  "user_tokens.create": {
    summary: "Create a signup token",
    description: "Keeps the data of a human who may become a user, checked as at creation. Records no event."
  },
  "orgs.list": { summary: "List orgs" },
  "orgs.get": { summary: "Get an org" },
  "orgs.create": {
    summary: "Create an org",
    description:
      "With `user_ids` or `user`, memberships are built too, each with `permissions`. Events: `org.created`; `user.created`; `membership.created` each."
  },
  "orgs.update": {
    summary: "Update an org",
    description: "Only what is given changes; `state: closed` is final. Event: `org.updated`."
  },
  "orgs.delete": {
    summary: "Close or delete an org",
    description:
      "Without `force` the org is closed for good (200, `org.updated`); with it, removed (202, `org.deleted`, `membership.deleted` each)."
  },
  "v1.orgs.update": { summary: "Update an org", description: "Only what is given changes. Event: `org.updated`." },
  "v1.orgs.delete": {
    summary: "Delete an org",
    description: "Events: `org.deleted`; `membership.deleted` each."
  },
  "memberships.list": {
    summary: "List memberships",
    description:
      "By org, user or both. By org, the users are included; by user, the orgs; by both, neither. One of the two is needed."
  },
  "memberships.get": { summary: "Get a membership" },
  "memberships.create": {
    summary: "Create a membership",
    description: "One for a user and an org. Event: `membership.created`."
  },
  "v1.memberships.create": {
    summary: "Create a membership",
    description:
      "One for a user and an org; without `org_id`, one for the user alone. Its `custom` attributes may go into tokens. Event: `membership.created`."
  },
  "v1.memberships.update": {
    summary: "Update a membership",
    description:
      "Its permissions, its `custom` attributes and its expiry; the user and the org stay. Event: `membership.updated`."
  },
  "memberships.update": {
    summary: "Update a membership",
    description: "Its permissions and its expiry; the user and the org stay. Event: `membership.updated`."
  },
  "memberships.delete": { summary: "Delete a membership", description: "Event: `membership.deleted`." },
  "invitations.list": { summary: "List invitations", description: "Those that have not expired." },
  "invitations.get": { summary: "Get an invitation", description: "With its `token` from level `write`." },
  "invitations.create": {
    summary: "Create an invitation",
    description:
      "Sends nothing yet. `org_id` is needed for the type `org`; `expires_at` is 30 days ahead unless told. Event: `invitation.<type>.created`."
  },
  "invitations.update": {
    summary: "Update an invitation",
    description: "Its permissions and its expiry: for anything else replace it. Event: `invitation.<type>.updated`."
  },
  "invitations.invite": {
    summary: "Send an invitation",
    description:
      "Or send it again. `expires_at`, in the wrapper or without one, is 30 days ahead the first time unless told, and then as it is. Event: `invitation.<type>.invited`, which carries the token."
  },
  "invitations.delete": { summary: "Delete an invitation", description: "Event: `invitation.<type>.expired`." },
  "sessions.list": { summary: "List sessions", description: "The active ones, of a user or of the whole realm." },
  "sessions.get": {
    summary: "Get a session",
    description:
      "**With a token of now, also for a key of level `read`: whoever holds the token is the user.** A realm whose `session_tokens` is `write` gives it to keys from level `write` only; `token` is then null for others. `org_id`: the token and the expansion hold that org only."
  },
  "v1.sessions.get": {
    summary: "Get a session",
    description:
      "`expand`: `memberships`; `token`, for one of now, **also with a key of level `read`: whoever holds it is the user.** A realm whose `session_tokens` is `write` gives it to keys from level `write` only; `token` is then null for others. By a token: as long as that is valid."
  },
  "v1.sessions.delete": {
    summary: "Delete a session",
    description: "204 also when it is gone already, or the token is none of the realm's. Shows no event in `/v1`."
  },
  "sessions.create": {
    summary: "Create a session",
    description: "Authenticates nobody: for humans that are new or were authenticated by other means. Records no event."
  },
  "sessions.delete": {
    summary: "Delete a session",
    description: "204 also when it is gone already. Event, when there was one: `session.deleted`."
  },
  "credentials.get": {
    summary: "Get a credential",
    description: "With the members of its type; its secrets from level `write`."
  },
  "credentials.create": {
    summary: "Create a credential",
    description:
      "API keys are for api users, all other types for human ones. An API key that is left out, or `generate`, is made and shown this once. A TOTP device begins `new` and is used in logins once it was verified. Event: `user.updated`."
  },
  "credentials.update": {
    summary: "Update a credential",
    description:
      "Only what is given changes, of what its type has. A new password ends the user's sessions; a new API key is shown this once. Events: `user.updated`, but for a provider's token alone; `session.deleted` each."
  },
  "credentials.verify": {
    summary: "Verify a TOTP device",
    description:
      "Checks a code and uses it up; a `new` device becomes `active`. Event, when that changes its state: `user.updated`."
  },
  "credentials.delete": {
    summary: "Delete a credential",
    description: "The user's sessions go on. Event: `user.updated`."
  },
  ...authProviderOperations,
  ...externalOperations,
  "jwt_keys.list": {
    summary: "List JWT keys",
    description: "The ones that sign or will, and the expired ones as long as they verify. The newest first."
  },
  "jwt_keys.get": {
    summary: "Get a JWT key",
    description: "`key` is the secret of hs256, and the public key of rs256 (PEM)."
  },
  "jwt_keys.create": {
    summary: "Create a JWT key",
    description:
      "It signs once the older keys of the realm are expired or deleted. A `key` of one's own: of hs256, a secret of 32 bytes or more, used as its literal UTF-8 bytes; of rs256, a private key of 2048 bits or more as PEM (PKCS 8 or PKCS 1). Left out, one is made. Event: `realm.updated`."
  },
  "jwt_keys.delete": {
    summary: "Delete a JWT key",
    description:
      "Without `force` it is expired: it signs no more, and verifies for six hours, or for `session_minutes` up to a day. With it, it is removed: its tokens are refused by every node within a second. Where no other key is left to sign, one of the same algorithm is made. Event: `realm.updated`, unless the key was expired already."
  },
  "api_keys.list": { summary: "List management keys", description: "Those that the caller may manage." },
  "api_keys.get": { summary: "Get a management key" },
  "api_keys.create": {
    summary: "Create a management key",
    description: "The answer is the only one that shows the key."
  },
  "api_keys.delete": { summary: "Delete a management key", description: "It is refused from then on." },
  ...hookOperations,
  ...appOperations,
  "events.list": { summary: "List events" },
  "events.get": { summary: "Get an event" },
  "v2.events.get": {
    summary: "Get an event",
    description:
      "With its `notifications`: what was, or is to be, delivered of it. Those of hooks that hear all realms are for level `admin_all_realms`."
  }
}

/** What the groups are about. */
export const groups: Readonly<Record<string, string>> = {
  realms: "The top-level containers: everything else belongs to one.",
  users: "Login identities.",
  logins: "How users prove who they are.",
  user_tokens: "Signup tokens: the data of users to be.",
  orgs: "Accounts that users join.",
  memberships: "What links users to orgs, with permission tags.",
  invitations: "What lets people in: to a realm, and to an org of it.",
  credentials: "What users log in with.",
  sessions: "Periods of authenticated use, each with a signed token.",
  auth_providers: "What realms authenticate with: passwords, codes, and providers elsewhere.",
  external_authentication: "Logins through providers elsewhere.",
  jwt_keys: "The keys that sign tokens: the oldest that has not expired does.",
  api_keys: "The keys that callers of this API present.",
  hooks: "What sends events out: as signed webhooks, and as e-mail.",
  ...appGroups,
  events: "The journal of what happened."
}

/** What parameters are for, by resource where they differ, and the schema to show where the query only has text. */
export const parameters: Readonly<Record<string, { readonly description: string; readonly schema?: object }>> = {
  after: { description: "The id of the last item already seen." },
  max_results: {
    description: "How many items at most.",
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 }
  },
  "jwt_keys.max_results": {
    description: "How many items at most.",
    schema: { type: "integer", minimum: 1, maximum: 100, default: 100 }
  },
  sort: { description: "What to sort by." },
  direction: { description: "Which way to sort; ascending unless told." },
  "jwt_keys.direction": { description: "Which way to sort; descending unless told." },
  realm_id: { description: "The realm of the call, for a key that is not locked to one." },
  expand: { description: "What to include besides; several separated by commas." },
  email: { description: "Exactly this e-mail, in any case." },
  "users.email": { description: "Exactly this e-mail, in any case; also matches `email_pending`." },
  reference: { description: "Exactly this reference." },
  username: { description: "Exactly this username, in any case." },
  state: { description: "Only of this state." },
  user_type: { description: "Only of this type; `all` unless told." },
  force: { description: "Remove instead of close.", schema: { type: "boolean", default: false } },
  "jwt_keys.force": {
    description: "Delete at once instead of letting it verify for the grace time.",
    schema: { type: "boolean", default: false }
  },
  event_type: { description: "Types that begin with this; several separated by commas." },
  created_at_after: {
    description: "Only what happened after this time, in seconds since 1970.",
    schema: { type: "number" }
  },
  org_id: { description: "An org's id." },
  user_id: { description: "A user's id; in the path of users also an e-mail (`/v2`) or a username (`/v1`)." },
  token_id: { description: "A signup token." },
  membership_id: { description: "A membership's id." },
  invitation_id: { description: "An invitation's id." },
  invitation_type: { description: "Only of this type." },
  "invitations.state": { description: "`pending`: not sent yet; `invited`: sent." },
  session_id: { description: "A session's id; in the path of `/v1` also a full login token." },
  event_id: { description: "An event's id." },
  ...hookParameters,
  ...appParameters,
  provider_type: { description: "Only of this type." },
  ...externalParameters,
  auth_provider_id: {
    description: "An auth provider's id; in the path of auth providers also its type, unless that is `oauth2`."
  },
  credential_id: { description: "A credential's id." },
  key_id: { description: "A JWT key's id." },
  api_key_id: { description: "A management key's id." }
}
