import { maxResults, type ParameterDocs, sortedBy } from "../GroupDocs.ts"

const only = (what: string) => ({ description: `Return only ${what}. Default: all.` })

/** A filter by text. A blank value matches nothing. */
const onlyOf = (what: string) => ({ description: `Return only ${what}. A blank value matches nothing. Default: all.` })

const realmId =
  "The ID of the request's realm. Required for a key that is not locked to a realm, unless a header, the body or an ID in the path names the realm."

/** The `realm_id` parameter. Every operation accepts it, even if its schema does not declare it. */
export const realmIdParameter = {
  name: "realm_id",
  in: "query",
  required: false,
  description: realmId,
  schema: { type: "string", maxLength: 255 }
}

/** The descriptions of parameters. The docs of a group can override them. */
export const parameters: Readonly<Record<string, ParameterDocs>> = {
  after: {
    description:
      "The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page."
  },
  max_results: maxResults(1000),
  sort: sortedBy("id"),
  direction: {
    description: "The sort direction: ascending (`asc`, the default) or descending (`desc`).",
    schema: { default: "asc" }
  },
  realm_id: {
    description: realmId
  },
  expand: {
    description:
      "Related data to include: any of these values, repeated or separated by commas. Values that are always included are also accepted. Default: none."
  },
  search: {
    description:
      "A search text of up to 200 characters. Returns the items for which one of the texts named above begins with it, regardless of case, with exact matches first. Returns at most 20 items unless `max_results` is set; `more_results` is true if there are more matches. Can only be combined with `state`, `expand`, `max_results` and `realm_id`. Default, or if blank: all items."
  },
  email: onlyOf("items with this email, ignoring case"),
  reference: onlyOf("items with exactly this reference"),
  username: onlyOf("users with this username, ignoring case"),
  state: only("items in this state"),
  user_type: {
    description: "Return only people (`human`) or programs (`api`). Default: `all`.",
    schema: { default: "all" }
  },
  force: {
    description: "Whether to delete the org instead of closing it. Default: false.",
    schema: { default: false }
  },
  event_type: {
    description:
      "Return only events whose type begins with this text, such as `user.` or `user.created`. Can be repeated or have several values separated by commas. Under `/v2`, a text that no type begins with returns 422. Default: all."
  },
  created_at_after: {
    description:
      "Return only events after this time: Unix time in seconds, with up to three decimals, exclusive. Default: all."
  },
  created_at_before: {
    description:
      "Return only events before this time: Unix time in seconds, with up to three decimals, exclusive. Default: all."
  },
  result: {
    description:
      "Return only events that report a failure or an attack (`failed`), such as `user.login.failed`, or all others (`succeeded`). Default: all."
  },
  request_ip: onlyOf("events of requests with exactly this IP address"),
  actor_id: onlyOf(
    "events caused by this actor: the ID of an API key, user or connected app, or the name of a background job"
  ),
  changed: {
    description:
      "Return only updates that changed this member, such as `email` or `custom`; can be repeated or have several values separated by commas. Default: all events."
  },
  org_id: { description: "The org's ID." },
  user_id: {
    description:
      "The user's ID. In the path of users, it can also be an email (`/v2`) or a username (`/v1`). As a filter, it can also be an email or, under `/v1`, a username. A list filtered by an unknown user is empty."
  },
  token_id: { description: "The signup token." },
  consent_id: { description: "The consent's ID." },
  grant_id: { description: "The grant's ID." },
  membership_id: { description: "The membership's ID." },
  invitation_id: { description: "The invitation's ID." },
  invitation_type: only("invitations of this type"),
  session_id: { description: "The session's ID; in the path of `/v1`, also a full login token." },
  event_id: { description: "The event's ID." },
  provider_type: only("providers of this type"),
  auth_provider_id: {
    description: "The auth provider's ID; in the path of auth providers, also its type, unless that is `oauth2`."
  },
  credential_id: { description: "The credential's ID." },
  key_id: { description: "The JWT key's ID." },
  api_key_id: { description: "The API key's ID." },
  hook_id: { description: "The hook's ID." },
  app_hook_id: { description: "The hook's ID." },
  hook_type: only("hooks of this type: `webhook` or `email`"),
  notification_id: { description: "The notification's ID." },
  redirect_uri: {
    description:
      "The URL that the provider redirects users to with a code: an http or https URL of your app, up to 2,048 characters. Required."
  },
  nonce: {
    description:
      "A random value that your app keeps in the user's session and sends again with the code, up to 1,024 characters. Default: none."
  },
  app_id: { description: "The connected app's ID." },
  login_policy_id: { description: "The connected app's ID." },
  client_app_id: { description: "The connected app's ID." }
}
