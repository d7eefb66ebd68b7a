import { carriesToken, type EventWithToken, eventName, type Version } from "./Event.ts"
import type { EventActor } from "./EventActor.ts"
import { changedMembersIn, isUpdate } from "./EventChanges.ts"
import type { EventDetails } from "./EventDetails.ts"
import { ACCOUNT } from "./Ids.ts"

/** An event as callers and hooks receive it (C35), using the names of an API version. */
export interface EventRecord extends EventDetails {
  readonly id: string
  readonly object: "event"
  readonly event_type: string
  readonly event_at: number
  readonly realm_id: string | null
  readonly user_id?: string
  readonly org_id?: string
  readonly membership_id?: string
  readonly invitation_id?: string
  readonly session_id?: string
  readonly auth_provider_id?: string
  readonly app_hook_id?: string
  readonly hook_id?: string
  readonly login_policy_id?: string
  readonly client_app_id?: string
  readonly api_key_id?: string
  readonly actor: EventActor
  readonly changed?: ReadonlyArray<string>
  readonly request: { readonly ip: string | null; readonly client: string | null }
  readonly token?: string | null
}

/** Converts an event to its record. `withToken` is whether the reader may use the token (C6). */
export const eventRecord = (event: EventWithToken, version: Version, withToken: boolean): EventRecord => ({
  id: event.id,
  object: "event",
  event_type: eventName(event.eventType, version),
  event_at: event.eventAt.epochMilliseconds / 1000,
  realm_id: event.realmId === ACCOUNT ? null : event.realmId,
  ...(event.userId === null ? {} : { user_id: event.userId }),
  ...(event.orgId === null ? {} : { org_id: event.orgId }),
  ...(event.membershipId === null ? {} : { membership_id: event.membershipId }),
  ...(event.invitationId === null ? {} : { invitation_id: event.invitationId }),
  ...(event.sessionId === null ? {} : { session_id: event.sessionId }),
  ...(event.authProviderId === null ? {} : { auth_provider_id: event.authProviderId }),
  ...(event.hookId === null ? {} : version === "v1" ? { app_hook_id: event.hookId } : { hook_id: event.hookId }),
  ...(event.appId === null ? {} : version === "v1" ? { login_policy_id: event.appId } : { client_app_id: event.appId }),
  ...(event.apiKeyId === null ? {} : { api_key_id: event.apiKeyId }),
  actor: event.actor,
  ...(isUpdate(event.eventType) ? { changed: changedMembersIn(event.eventType, event.changed, version) } : {}),
  ...event.details,
  request: { ip: event.requestIp, client: event.requestClient },
  ...(carriesToken(event) ? { token: withToken ? event.token : null } : {})
})
