import { eventTraits } from "#domain/EventTraits"

/** All event types, by their names in version 2 of the API. */
export const eventTypes: ReadonlyArray<string> = Object.keys(eventTraits)
