import type { DateTime } from "effect"
import { Context, Data, Struct } from "effect"
import { ACCOUNT, type EventId, type RealmId } from "./Ids.ts"

/** What sets an event type apart. */
interface EventTraits {
  /** The name of the type in v1, where it is another (C16). Null: v1 does not show the type. */
  readonly v1?: string | null
  /** Whether its events carry the token of their invitation. */
  readonly carriesInvitationToken?: boolean
}

/** All event types, by the names under which they are stored. Where the versions differ, it is the v2 name. */
const events = {
  "app_hook.created": {},
  "app_hook.deleted": {},
  "app_hook.updated": {},
  "auth_provider.created": {},
  "auth_provider.deleted": {},
  "auth_provider.updated": {},
  "hook.disabled": {},
  "invitation.org.accepted": {},
  "invitation.org.created": {},
  "invitation.org.expired": {},
  "invitation.org.invited": { carriesInvitationToken: true },
  "invitation.org.updated": {},
  "invitation.preverify.accepted": {},
  "invitation.preverify.created": {},
  "invitation.preverify.expired": {},
  "invitation.preverify.invited": { carriesInvitationToken: true },
  "invitation.preverify.updated": {},
  "invitation.referral.accepted": {},
  "invitation.referral.created": {},
  "invitation.referral.expired": {},
  "invitation.referral.invited": { carriesInvitationToken: true },
  "invitation.referral.updated": {},
  "invitation.request.accepted": {},
  "invitation.request.created": {},
  "invitation.request.expired": {},
  "invitation.request.invited": { carriesInvitationToken: true },
  "invitation.request.updated": {},
  "login_policy.created": {},
  "login_policy.deleted": {},
  "login_policy.updated": {},
  "membership.created": {},
  "membership.deleted": {},
  "membership.updated": {},
  "org.created": {},
  "org.deleted": {},
  "org.updated": {},
  "realm.created": {},
  "realm.deleted": {},
  "realm.updated": {},
  "session.deleted": { v1: null },
  "user.blocked": {},
  "user.created": {},
  "user.deleted": {},
  "user.email.updating": {},
  "user.email.verified": {},
  "user.email.verifying": { v1: "user.email.verification_requested" },
  "user.login.failed": {},
  "user.login.initiated": {},
  "user.login.succeeded": {},
  "user.password.resetting": { v1: "user.password_token.created" },
  "user.password_token.consumed": {},
  "user.password_token.failed": {},
  "user.profile.updated": {},
  "user.updated": {}
} satisfies Record<string, EventTraits>

export type EventType = keyof typeof events

export const eventTypes: ReadonlyArray<EventType> = Struct.keys(events)

const traitsOf: Readonly<Record<EventType, EventTraits>> = events

export type Version = "v1" | "v2"

/** The name of an event type in an API version (C16). */
export const eventName = (type: EventType, version: Version): string =>
  version === "v1" ? (traitsOf[type].v1 ?? type) : type

/** The event types an API version can see. */
export const visibleTypes = (version: Version): ReadonlyArray<EventType> =>
  version === "v2" ? eventTypes : eventTypes.filter((type) => traitsOf[type].v1 !== null)

/** The visible event types whose name, in either version, starts with one of the prefixes. */
export const matchingTypes = (version: Version, prefixes: ReadonlyArray<string>): ReadonlyArray<EventType> =>
  visibleTypes(version).filter((type) =>
    prefixes.some((prefix) => type.startsWith(prefix) || eventName(type, "v1").startsWith(prefix))
  )

/** The resources an event may refer to. Records list them, and event lists filter by them. */
export const relations = [
  "user",
  "org",
  "membership",
  "invitation",
  "session",
  "authProvider",
  "hook",
  "loginPolicy"
] as const

export type RelatedIds = { readonly [Relation in (typeof relations)[number] as `${Relation}Id`]?: string }

/** A stored event. */
export interface Event extends Required<{ readonly [Key in keyof RelatedIds]: string | null }> {
  readonly id: EventId
  /** `ACCOUNT` for events of resources that span all realms. */
  readonly realmId: RealmId
  readonly eventType: EventType
  readonly eventAt: DateTime.Utc
  readonly requestIp: string | null
  readonly requestClient: string | null
  /** The id of the one-time token the event carries. */
  readonly tokenId: string | null
}

/** Whether an event carries a token: that of its invitation, or a one-time token. */
export const carriesToken = ({ eventType, tokenId }: Pick<Event, "eventType" | "tokenId">): boolean =>
  tokenId !== null || traitsOf[eventType].carriesInvitationToken === true

/** An event with its token; null once the token is used or expired. */
export interface EventWithToken extends Event {
  readonly token: string | null
}

/** An event as callers and hooks receive it (C35), with the names of an API version. */
export interface EventRecord {
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
  readonly request: { readonly ip: string | null; readonly client: string | null }
  readonly token?: string | null
}

/** The record of an event. `withToken`: whether the reader may use the token (C6). */
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
  ...(event.loginPolicyId === null
    ? {}
    : version === "v1"
      ? { login_policy_id: event.loginPolicyId }
      : { client_app_id: event.loginPolicyId }),
  request: { ip: event.requestIp, client: event.requestClient },
  ...(carriesToken(event) ? { token: withToken ? event.token : null } : {})
})

/** The request attributes of the end user behind a call (`v2.request`): informative only, never used as a key. */
export const RequestOrigin = Context.Reference<{ readonly ip: string | null; readonly client: string | null }>(
  "sallyport/domain/RequestOrigin",
  { defaultValue: () => ({ ip: null, client: null }) }
)

export class EventNotFound extends Data.TaggedError("EventNotFound")<{ readonly id: string }> {}
