import type { EventItem } from "#client/generated/types/EventItem"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"

/** An event without its one-time token, which output shouldn't contain (SEC-226). */
export const withoutToken = ({ token: _, ...event }: EventItem): Omit<EventItem, "token"> => event

/** The ID of the most specific subject of an event. */
export const subjectOf = (event: Omit<EventItem, "token">): string =>
  event.membership_id ??
  event.invitation_id ??
  event.api_key_id ??
  event.hook_id ??
  event.auth_provider_id ??
  event.user_id ??
  event.org_id ??
  event.client_app_id ??
  event.session_id ??
  event.realm_id ??
  ""

/** The changed members, the login methods, the reason and the number of attempts of an event. */
export const detailsOf = ({ changed = [], methods = [], reason, attempts }: Omit<EventItem, "token">): string =>
  [
    ...(changed.length === 0 ? [] : [`changed ${changed.join(", ")}`]),
    ...(methods.length === 0 ? [] : [`with ${methods.join(" and ")}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(attempts === undefined ? [] : [`${attempts} attempts`])
  ].join(", ")

/** The headers of `eventCells`. */
export const eventHeaders = ["TIME", "TYPE", "ABOUT", "ACTOR", "ID", "DETAILS"]

/** The cells of an event in a table. Times are in UTC. */
export const eventCells = (event: EventItem): ReadonlyArray<string> => [
  timeText(event.event_at),
  event.event_type,
  subjectOf(event),
  event.actor.id ?? event.actor.type,
  event.id,
  detailsOf(event)
]

/** The widths of the columns that fit most events, for lines that are printed one at a time. */
const widths = [19, 24, 30, 30, 29]

/** Formats an event as a line with the columns of the table. */
export const eventLine = (event: EventItem): string =>
  `${eventCells(event)
    .map((cell, at) => visible(cell).padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd()}\n`
