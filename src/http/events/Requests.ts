import { values } from "#api/Wire"
import type { Version } from "#domain/Event"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** Which events a caller lists. `/v2` knows every parameter that `/v1` knows. */
export const eventQuery = (query: EndpointRequest<"v2.events", "list">["query"], version: Version) => ({
  version,
  eventTypes: values(query.event_type),
  related: omitUndefined({
    user: query.user_id,
    org: query.org_id,
    membership: query.membership_id,
    invitation: query.invitation_id,
    session: query.session_id,
    authProvider: query.auth_provider_id,
    hook: query.app_hook_id ?? query.hook_id,
    apiKey: query.api_key_id,
    loginPolicy: query.login_policy_id ?? query.client_app_id
  }),
  actorId: query.actor_id,
  changed: values(query.changed),
  createdAfter: query.created_at_after === undefined ? undefined : utcFromTimeT(query.created_at_after)
})
