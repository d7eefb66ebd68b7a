import type { DateTime } from "effect"
import { type EventResult, matchingTypes, type relations, resultOf, type Version } from "#domain/Event"
import { storedMember } from "#domain/EventChanges"
import { earliestId } from "#domain/Ids"
import type { EventFilter } from "#store/events/EventPage"

/** The filters of an event list (C35). */
export interface EventQuery {
  readonly version: Version
  /** Prefixes of event type names, spelled as in either API version. Empty for all types. */
  readonly eventTypes: ReadonlyArray<string>
  readonly related: { readonly [Relation in (typeof relations)[number]]?: string }
  /** The ID of the actor. */
  readonly actorId: string | undefined
  /** Names of changed members, spelled as in either API version. Empty for all events. */
  readonly changed: ReadonlyArray<string>
  readonly createdAfter: DateTime.Utc | undefined
  readonly createdBefore?: DateTime.Utc | undefined
  readonly result?: EventResult | undefined
  /** The exact IP address of the request. */
  readonly requestIp?: string | undefined
}

/** The filter of a query, in the terms of the store. */
export const eventFilter = (query: EventQuery): EventFilter => {
  const types = matchingTypes(query.version, query.eventTypes.length === 0 ? [""] : query.eventTypes)
  const idAt = (at: DateTime.Utc | undefined) =>
    at === undefined ? undefined : earliestId("event", at.epochMilliseconds)
  return {
    types: query.result === undefined ? types : types.filter((type) => resultOf(type) === query.result),
    related: query.related,
    actorId: query.actorId,
    requestIp: query.requestIp,
    changed: [...new Set(query.changed.map(storedMember))],
    createdAfter: query.createdAfter,
    createdBefore: query.createdBefore,
    earliest: idAt(query.createdAfter),
    latest: idAt(query.createdBefore)
  }
}
