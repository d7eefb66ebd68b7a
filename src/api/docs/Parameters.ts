import { maxResults, type ParameterDocs } from "../GroupDocs.ts"

/** What parameters are for, unless the docs of their group say otherwise. */
export const parameters: Readonly<Record<string, ParameterDocs>> = {
  after: { description: "The ID of the last item of the previous page." },
  max_results: maxResults(1000),
  sort: { description: "The field to sort by." },
  direction: { description: "The sort direction (default: ascending)." },
  realm_id: { description: "The realm of the request, for a key that is not locked to one." },
  expand: { description: "What else to include, separated by commas." },
  email: { description: "Return only items with this e-mail, ignoring case." },
  reference: { description: "Return only items with this reference." },
  username: { description: "Return only users with this username, ignoring case." },
  state: { description: "Return only items in this state." },
  user_type: { description: "Return only this type (default: `all`)." },
  force: { description: "Delete the org instead of closing it.", schema: { type: "boolean", default: false } },
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
  session_id: { description: "The session's ID; in the path of `/v1`, also a full login token." },
  event_id: { description: "The event's ID." },
  provider_type: { description: "Return only this type." },
  auth_provider_id: {
    description: "The auth provider's ID; in the path of auth providers, also its type, unless that is `oauth2`."
  },
  credential_id: { description: "The credential's ID." },
  key_id: { description: "The JWT key's ID." },
  api_key_id: { description: "The management key's ID." },
  hook_id: { description: "The hook's ID." },
  app_hook_id: { description: "The hook's ID." },
  hook_type: { description: "Return only this type." },
  notification_id: { description: "The notification's ID." },
  redirect_uri: {
    description: "Where the provider sends users back with a code: an http or https URL of your app."
  },
  nonce: { description: "A random value that your app keeps in the user's session and sends again with the code." },
  app_id: { description: "The connected app's ID." },
  login_policy_id: { description: "The connected app's ID." },
  client_app_id: { description: "The connected app's ID." }
}
