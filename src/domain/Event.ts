import type { DateTime } from "effect"
import { Context, Data, Struct } from "effect"
import type { EventActor } from "./EventActor.ts"
import type { EventDetails } from "./EventDetails.ts"
import type { EventId, RealmId } from "./Ids.ts"
import { isStorable, TEXT_LENGTH } from "./Text.ts"

/** The special properties of an event type. */
interface EventTraits {
  /** The name of the type in v1, if it differs (C16). Null: v1 does not show the type. */
  readonly v1?: string | null
  /** Whether events of this type carry the token of their invitation. */
  readonly carriesInvitationToken?: boolean
}

/** All event types, by the names under which they are stored: where the versions differ, the v2 name. */
const events = {
  "api_key.created": {},
  "api_key.deleted": {},
  "app_hook.created": {},
  "app_hook.deleted": {},
  "app_hook.updated": {},
  "auth_provider.created": {},
  "auth_provider.deleted": {},
  "auth_provider.updated": {},
  "console.session.created": { v1: null },
  "console.session.deleted": { v1: null },
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
  "oauth.client.registered": {},
  "oauth.client_secret.rotated": {},
  "oauth.code.reused": {},
  "oauth.consent.granted": {},
  "oauth.consent.revoked": {},
  "oauth.device.approved": {},
  "oauth.device.denied": {},
  "oauth.grant.created": {},
  "oauth.grant.revoked": {},
  "oauth.logout.failed": {},
  "oauth.refresh.reused": {},
  "oauth.token.revoked": {},
  "org.created": {},
  "org.deleted": {},
  "org.updated": {},
  "realm.created": {},
  "realm.deleted": {},
  "realm.exported": {},
  "realm.imported": {},
  "realm.importing": {},
  "realm.reset": { v1: null },
  "realm.updated": {},
  "session.deleted": { v1: null },
  "token.too_large": {},
  "user.blocked": {},
  "user.created": {},
  "user.deleted": {},
  "user.email.updating": {},
  "user.email.verified": {},
  "user.email.verifying": { v1: "user.email.verification_requested" },
  "user.email_code.requested": {},
  "user.login.failed": {},
  "user.login.initiated": {},
  "user.login.succeeded": {},
  "user.password.resetting": { v1: "user.password_token.created" },
  "user.password_token.consumed": {},
  "user.password_token.failed": {},
  "user.profile.updated": {},
  "user.recovery_code.used": {},
  "user.updated": {}
} satisfies Record<string, EventTraits>

export type EventType = keyof typeof events

/** The types of events that concern a user and carry no further details. */
export type UserEventType = Exclude<Extract<EventType, `user.${string}`>, "user.login.failed">

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
  "app",
  "apiKey"
] as const

export type RelatedIds = { readonly [Relation in (typeof relations)[number] as `${Relation}Id`]?: string }

/** A stored event. */
export interface Event extends Required<{ readonly [Key in keyof RelatedIds]: string | null }> {
  readonly id: EventId
  /** `ACCOUNT` for events of resources that span all realms. */
  readonly realmId: RealmId
  readonly eventType: EventType
  readonly eventAt: DateTime.Utc
  readonly actor: EventActor
  /** The changed members of an update, by their names in v2; empty for other types. */
  readonly changed: ReadonlyArray<string>
  readonly details: EventDetails
  readonly requestIp: string | null
  readonly requestClient: string | null
  /** The id of the one-time token the event carries. */
  readonly tokenId: string | null
}

/** Whether an event carries a token: that of its invitation, or a one-time token. */
export const carriesToken = ({ eventType, tokenId }: Pick<Event, "eventType" | "tokenId">): boolean =>
  tokenId !== null || traitsOf[eventType].carriesInvitationToken === true

/** An event with its token; null once the token is used or has expired. */
export interface EventWithToken extends Event {
  readonly token: string | null
}

/** The request attributes of the end user behind a call (`v2.request`): informative only, never used as a key. */
export const RequestOrigin = Context.Reference<{ readonly ip: string | null; readonly client: string | null }>(
  "sallyport/domain/RequestOrigin",
  { defaultValue: () => ({ ip: null, client: null }) }
)

/** The shortened `User-Agent` header of a request; null if there is none, or if it cannot be stored. */
export const userAgentOf = (header: string | undefined): string | null =>
  header === undefined || !isStorable(header) ? null : Array.from(header).slice(0, TEXT_LENGTH).join("")

export class EventNotFound extends Data.TaggedError("EventNotFound")<{ readonly id: string }> {}
