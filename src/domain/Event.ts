import type { DateTime } from "effect"
import { Context, Data, Struct } from "effect"
import type { EventActor } from "./EventActor.ts"
import type { EventDetails } from "./EventDetails.ts"
import { type EventTraits, eventTraits } from "./EventTraits.ts"
import type { EventId, RealmId } from "./Ids.ts"
import { isStorable, TEXT_LENGTH } from "./Text.ts"

export type EventType = keyof typeof eventTraits

/** The event types that concern a user and have no further details. */
export type UserEventType = Exclude<Extract<EventType, `user.${string}`>, "user.login.failed" | "user.login.succeeded">

export const eventTypes: ReadonlyArray<EventType> = Struct.keys(eventTraits)

const traitsOf: Readonly<Record<EventType, EventTraits>> = eventTraits

export type Version = "v1" | "v2"

/** The name of an event type in an API version (C16). */
export const eventName = (type: EventType, version: Version): string =>
  version === "v1" ? (traitsOf[type].v1 ?? type) : type

/** The event types visible in an API version. */
export const visibleTypes = (version: Version): ReadonlyArray<EventType> =>
  version === "v2" ? eventTypes : eventTypes.filter((type) => traitsOf[type].v1 !== null)

/** The visible event types whose name in either version starts with one of the prefixes. */
export const matchingTypes = (version: Version, prefixes: ReadonlyArray<string>): ReadonlyArray<EventType> =>
  visibleTypes(version).filter((type) =>
    prefixes.some((prefix) => type.startsWith(prefix) || eventName(type, "v1").startsWith(prefix))
  )

/** The results of events: types that report a failure or an attack are `failed`, all others `succeeded`. */
export const eventResults = ["succeeded", "failed"] as const

export type EventResult = (typeof eventResults)[number]

export const resultOf = (type: EventType): EventResult => (traitsOf[type].isFailure === true ? "failed" : "succeeded")

/** The resources an event may refer to. Event records show them, and event lists can be filtered by them. */
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
  /** The changed members of an update event, by their v2 names. Empty for other types. */
  readonly changed: ReadonlyArray<string>
  readonly details: EventDetails
  readonly requestIp: string | null
  readonly requestClient: string | null
  /** The id of the one-time token that the event carries. */
  readonly tokenId: string | null
}

/** Returns whether an event carries a token: an invitation's or a one-time token. */
export const carriesToken = ({ eventType, tokenId }: Pick<Event, "eventType" | "tokenId">): boolean =>
  tokenId !== null || traitsOf[eventType].carriesInvitationToken === true

/** An event with its token. The token is null once it is used or expired. */
export interface EventWithToken extends Event {
  readonly token: string | null
}

/** The IP address and user agent of the end user behind a call (`v2.request`). Informative only, never used as a key. */
export interface RequestOrigin {
  readonly ip: string | null
  readonly client: string | null
}

/** The origin of the current request. */
export const RequestOrigin = Context.Reference<RequestOrigin>("sallyport/domain/RequestOrigin", {
  defaultValue: () => ({ ip: null, client: null })
})

/** The shortened `User-Agent` header of a request. Null if it is missing or cannot be stored. */
export const userAgentOf = (header: string | undefined): string | null =>
  header === undefined || !isStorable(header) ? null : Array.from(header).slice(0, TEXT_LENGTH).join("")

export class EventNotFound extends Data.TaggedError("EventNotFound")<{ readonly id: string }> {}
