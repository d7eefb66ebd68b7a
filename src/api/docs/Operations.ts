import { authProviderOperations } from "./AuthProviders.ts"
import { appGroups, appOperations, appParameters } from "./ConnectedApps.ts"
import { externalOperations, externalParameters } from "./ExternalAuthentication.ts"
import { hookOperations, hookParameters } from "./Hooks.ts"
import { loginOperations } from "./Logins.ts"

/** What each operation does, by the last part of its id: `v2.users.list` is `users.list`, unless the whole id is there. */
export const operations: Readonly<Record<string, { readonly summary: string; readonly description?: string }>> = {
  "realms.list": { summary: "List realms", description: "A key locked to a realm sees only that realm." },
  "realms.create": {
    summary: "Create a realm",
    description:
      "Also creates its signing key and its `password` and `totp` providers. Events: `realm.created`, and `auth_provider.created` for each provider."
  },
  "realms.get": { summary: "Get a realm" },
  "realms.update": { summary: "Update a realm", description: "Changes only the members sent. Event: `realm.updated`." },
  "realms.delete": {
    summary: "Delete a realm",
    description: "The realm and everything in it can no longer be found, effective immediately. Event: `realm.deleted`."
  },
  "realms.reset": {
    summary: "Reset a realm",
    description:
      "Deletes all current `users` and `orgs`, unless set to false, and all `auth_providers`, `app_hooks` and `login_policies` that are set to true. Callers can no longer find them, effective immediately; they are deleted in the background, and anything created from now on is kept. Records no event. 409 while another reset is in progress."
  },
  "users.list": { summary: "List users", description: "Lists human users. API users are listed under `/v1`." },
  "v1.users.list": { summary: "List users" },
  "users.get": { summary: "Get a user" },
  "v1.users.get": {
    summary: "Get a user",
    description:
      "Includes an API user's `api_key` for keys of level `write` and above, if the realm's `api_key_policy` is `encrypt`."
  },
  "v1.users.create": {
    summary: "Create a user",
    description:
      "With `org_ids` or `org`, also creates memberships, each with `permissions`; with `permissions` alone, one membership without an org. `token` is a signup token, whose data takes precedence over the rest. Events: `user.created`; `user.email.verification_requested` or `user.email.verified`; `org.created`; `membership.created` for each membership."
  },
  "v1.users.update": {
    summary: "Update a user",
    description:
      "Changes only the members sent. Events: `user.updated`; `user.email.verification_requested` or `user.email.verified`."
  },
  "users.create": {
    summary: "Create a user",
    description:
      "With `org_ids` or `org`, also creates memberships, each with `permissions`. Events: `user.created`; `user.email.verifying` or `user.email.verified`; `org.created`; `membership.created` for each membership."
  },
  "users.update": {
    summary: "Update a user",
    description:
      "Administrative update: changes only the members sent. Events: `user.updated`; `user.email.updating`, `user.email.verifying`, `user.email.verified`; `session.deleted` for each session that ends."
  },
  "users.delete": {
    summary: "Delete a user",
    description: "Events: `user.deleted`; `membership.deleted` and `session.deleted` for each membership and session."
  },
  "users.accept_invitation": {
    summary: "Accept an invitation",
    description:
      "For active human users. Takes only the invitation's `token`. The user joins the invitation's org, or gets its permissions added to an existing membership. Other invitations for the same e-mail and org are removed too. Events: `invitation.<type>.accepted`; `membership.created` or `membership.updated`."
  },
  ...loginOperations,
  "user_tokens.get": {
    summary: "Get a signup token",
    description: "Available as long as it can be used: for 24 hours, or until a user is created with it."
  },
  "user_tokens.create": {
    summary: "Create a signup token",
    description: "Stores the data of a person who may become a user, validated as for a new user. Records no event."
  },
  "orgs.list": { summary: "List orgs" },
  "orgs.get": { summary: "Get an org" },
  "orgs.create": {
    summary: "Create an org",
    description:
      "With `user_ids` or `user`, also creates memberships, each with `permissions`. Events: `org.created`; `user.created`; `membership.created` for each membership."
  },
  "orgs.update": {
    summary: "Update an org",
    description: "Changes only the members sent; `state: closed` is permanent. Event: `org.updated`."
  },
  "orgs.delete": {
    summary: "Close or delete an org",
    description:
      "Without `force`, the org is permanently closed (200, event `org.updated`). With `force`, it is deleted (202, events `org.deleted` and `membership.deleted` for each membership)."
  },
  "v1.orgs.update": { summary: "Update an org", description: "Changes only the members sent. Event: `org.updated`." },
  "v1.orgs.delete": {
    summary: "Delete an org",
    description: "Events: `org.deleted`; `membership.deleted` for each membership."
  },
  "memberships.list": {
    summary: "List memberships",
    description:
      "Filters by org, user or both; at least one is required. By org, the users are included; by user, the orgs; by both, neither."
  },
  "memberships.get": { summary: "Get a membership" },
  "memberships.create": {
    summary: "Create a membership",
    description: "Links a user to an org. Event: `membership.created`."
  },
  "v1.memberships.create": {
    summary: "Create a membership",
    description:
      "Links a user to an org; without `org_id`, the membership is for the user alone. Its `custom` attributes can be included in tokens. Event: `membership.created`."
  },
  "v1.memberships.update": {
    summary: "Update a membership",
    description:
      "Changes its permissions, `custom` attributes and expiry; the user and the org can't be changed. Event: `membership.updated`."
  },
  "memberships.update": {
    summary: "Update a membership",
    description:
      "Changes its permissions and expiry; the user and the org can't be changed. Event: `membership.updated`."
  },
  "memberships.delete": { summary: "Delete a membership", description: "Event: `membership.deleted`." },
  "invitations.list": { summary: "List invitations", description: "Lists the invitations that have not expired." },
  "invitations.get": {
    summary: "Get an invitation",
    description: "Includes its `token` for keys of level `write` and above."
  },
  "invitations.create": {
    summary: "Create an invitation",
    description:
      "Does not send the invitation yet. `org_id` is required for the type `org`; `expires_at` defaults to 30 days from now. Event: `invitation.<type>.created`."
  },
  "invitations.update": {
    summary: "Update an invitation",
    description:
      "Changes its permissions and expiry; to change anything else, create a new one. Event: `invitation.<type>.updated`."
  },
  "invitations.invite": {
    summary: "Send an invitation",
    description:
      "Sends the invitation, or sends it again. `expires_at`, inside the wrapper or beside it, defaults to 30 days from now the first time and to its current value after that. Event: `invitation.<type>.invited`, which contains the token."
  },
  "invitations.delete": { summary: "Delete an invitation", description: "Event: `invitation.<type>.expired`." },
  "sessions.list": {
    summary: "List sessions",
    description: "Lists the active sessions of a user or of the whole realm."
  },
  "sessions.get": {
    summary: "Get a session",
    description:
      "**Includes a fresh token, even for a key of level `read`: whoever holds the token can act as the user.** If the realm's `session_tokens` is `write`, only keys of level `write` and above get it; for others, `token` is null. With `org_id`, the token and the expansion contain only that org."
  },
  "v1.sessions.get": {
    summary: "Get a session",
    description:
      "`expand` takes `memberships`, and `token` for a fresh token, **even with a key of level `read`: whoever holds the token can act as the user.** If the realm's `session_tokens` is `write`, only keys of level `write` and above get it; for others, `token` is null. A session can be found by its token as long as that is valid."
  },
  "v1.sessions.delete": {
    summary: "Delete a session",
    description:
      "Returns 204 even if the session is already gone or the token does not belong to the realm. Its event is not shown in `/v1`."
  },
  "sessions.create": {
    summary: "Create a session",
    description:
      "Does not authenticate anyone: use it for human users who are new or were authenticated by other means. Records no event."
  },
  "sessions.delete": {
    summary: "Delete a session",
    description: "Returns 204 even if the session is already gone. Event, if there was one: `session.deleted`."
  },
  "credentials.get": {
    summary: "Get a credential",
    description: "Includes the members of its type, and its secrets for keys of level `write` and above."
  },
  "credentials.create": {
    summary: "Create a credential",
    description:
      "API keys are for API users; all other types are for human users. If the API key is left out or is `generate`, one is generated and shown only once. A TOTP device starts as `new` and is used in logins once it has been verified. Event: `user.updated`."
  },
  "credentials.update": {
    summary: "Update a credential",
    description:
      "Changes only the members sent, of those its type has. A new password ends the user's sessions; a new API key is shown only once. Events: `user.updated`, except when only a provider's token changes; `session.deleted` for each session."
  },
  "credentials.verify": {
    summary: "Verify a TOTP device",
    description:
      "Checks a code, which can't be used again; a `new` device becomes `active`. Event, if that changes its state: `user.updated`."
  },
  "credentials.delete": {
    summary: "Delete a credential",
    description: "Does not end the user's sessions. Event: `user.updated`."
  },
  ...authProviderOperations,
  ...externalOperations,
  "jwt_keys.list": {
    summary: "List JWT keys",
    description: "Lists the keys that sign or will sign, and expired ones as long as they verify, newest first."
  },
  "jwt_keys.get": {
    summary: "Get a JWT key",
    description: "`key` is the secret for hs256 and the public key (PEM) for rs256."
  },
  "jwt_keys.create": {
    summary: "Create a JWT key",
    description:
      "The key signs once the realm's older keys are expired or deleted. To use your own `key`, send a secret of at least 32 bytes for hs256 (used as its literal UTF-8 bytes), or a private key of at least 2048 bits for rs256 (PEM, PKCS #8 or PKCS #1). If left out, a key is generated. Event: `realm.updated`."
  },
  "jwt_keys.delete": {
    summary: "Delete a JWT key",
    description:
      "Without `force`, the key is expired: it no longer signs, but still verifies for six hours, or for `session_minutes` up to a day. With `force`, it is deleted: every node refuses its tokens within a second. If no other key is left to sign, one with the same algorithm is created. Event: `realm.updated`, unless the key was already expired."
  },
  "api_keys.list": { summary: "List management keys", description: "Lists the keys that the caller can manage." },
  "api_keys.get": { summary: "Get a management key" },
  "api_keys.create": {
    summary: "Create a management key",
    description: "The key is shown only in this response."
  },
  "api_keys.delete": { summary: "Delete a management key", description: "The key is refused from then on." },
  ...hookOperations,
  ...appOperations,
  "events.list": { summary: "List events" },
  "events.get": { summary: "Get an event" },
  "v2.events.get": {
    summary: "Get an event",
    description:
      "Includes its `notifications`: the deliveries of this event. Those of hooks for all realms are shown only to keys of level `admin_all_realms`."
  }
}

/** What the groups are about. */
export const groups: Readonly<Record<string, string>> = {
  realms: "The top-level containers. Everything else belongs to one.",
  users: "The people and programs that log in.",
  logins: "Logins, passwords and e-mail verification.",
  user_tokens: "Signup tokens: the data of future users.",
  orgs: "Organizations that users belong to.",
  memberships: "Links between users and orgs, with permission tags.",
  invitations: "Invitations to a realm or to one of its orgs.",
  credentials: "What users log in with: passwords, authenticator apps, API keys and profiles at providers.",
  sessions: "Periods of authenticated use, each with a signed token.",
  auth_providers: "How a realm authenticates users: passwords, codes and external providers.",
  external_authentication: "Logins through external providers.",
  jwt_keys: "The keys that sign tokens. The oldest unexpired key signs.",
  api_keys: "The keys that authenticate callers of this API.",
  hooks: "Send events as signed webhooks or as e-mail.",
  ...appGroups,
  events: "The log of everything that happened."
}

/** What parameters are for, by resource where they differ, and the schema to show where the query only has text. */
export const parameters: Readonly<Record<string, { readonly description: string; readonly schema?: object }>> = {
  after: { description: "The ID of the last item of the previous page." },
  max_results: {
    description: "The maximum number of items to return.",
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 }
  },
  "jwt_keys.max_results": {
    description: "The maximum number of items to return.",
    schema: { type: "integer", minimum: 1, maximum: 100, default: 100 }
  },
  sort: { description: "The field to sort by." },
  direction: { description: "The sort direction (default: ascending)." },
  "jwt_keys.direction": { description: "The sort direction (default: descending)." },
  realm_id: { description: "The realm of the request, for a key that is not locked to one." },
  expand: { description: "What else to include, separated by commas." },
  email: { description: "Return only items with this e-mail, ignoring case." },
  "users.email": { description: "Return only users with this e-mail, ignoring case; also matches `email_pending`." },
  reference: { description: "Return only items with this reference." },
  username: { description: "Return only users with this username, ignoring case." },
  state: { description: "Return only items in this state." },
  user_type: { description: "Return only this type (default: `all`)." },
  force: { description: "Delete the org instead of closing it.", schema: { type: "boolean", default: false } },
  "jwt_keys.force": {
    description: "Delete the key immediately instead of letting it verify for a grace period.",
    schema: { type: "boolean", default: false }
  },
  event_type: { description: "Return only events whose type starts with this; separate several with commas." },
  created_at_after: {
    description: "Return only events after this time, as a Unix timestamp in seconds.",
    schema: { type: "number" }
  },
  org_id: { description: "The org's ID." },
  user_id: { description: "The user's ID; in the path of users, also an e-mail (`/v2`) or a username (`/v1`)." },
  token_id: { description: "The signup token." },
  membership_id: { description: "The membership's ID." },
  invitation_id: { description: "The invitation's ID." },
  invitation_type: { description: "Return only this type." },
  "invitations.state": { description: "`pending` if not sent yet, `invited` if sent." },
  session_id: { description: "The session's ID; in the path of `/v1`, also a full login token." },
  event_id: { description: "The event's ID." },
  ...hookParameters,
  ...appParameters,
  provider_type: { description: "Return only this type." },
  ...externalParameters,
  auth_provider_id: {
    description: "The auth provider's ID; in the path of auth providers, also its type, unless that is `oauth2`."
  },
  credential_id: { description: "The credential's ID." },
  key_id: { description: "The JWT key's ID." },
  api_key_id: { description: "The management key's ID." }
}
