import type { EventItem } from "#client/generated/types/EventItem"
import { type EventType, eventTypes, resultOf } from "#domain/Event"
import { csvCell } from "../ui/Csv.ts"

/** The formats of an export. */
export const formats = ["csv", "ndjson"] as const

export type Format = (typeof formats)[number]

const isEventType = (type: string): type is EventType => eventTypes.some((one) => one === type)

const nameIn = ({ display_names: names }: EventItem, id: string | null | undefined): string =>
  id === null || id === undefined ? "" : (names?.[id] ?? "")

/** The columns of a CSV file. They have the same names in every language. */
const columns: Readonly<Record<string, (event: EventItem) => string>> = {
  time: ({ event_at }) => new Date(event_at * 1000).toISOString(),
  event_type: ({ event_type }) => event_type,
  result: ({ event_type }) => (isEventType(event_type) ? resultOf(event_type) : ""),
  reason: ({ reason }) => reason ?? "",
  attempts: ({ attempts }) => String(attempts ?? ""),
  user: (event) => nameIn(event, event.user_id),
  user_id: ({ user_id }) => user_id ?? "",
  typed_names: ({ names = [] }) => names.join(", "),
  org: (event) => nameIn(event, event.org_id),
  org_id: ({ org_id }) => org_id ?? "",
  actor_type: ({ actor }) => actor.type,
  actor: (event) => nameIn(event, event.actor.id),
  actor_id: ({ actor }) => actor.id ?? "",
  ip: ({ request }) => request.ip ?? "",
  client: ({ request }) => request.client ?? "",
  changed: ({ changed = [] }) => changed.join(", "),
  id: ({ id }) => id
}

/** Marks the file as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = "\uFEFF"

/** The start of an exported file. */
export const fileStart = (format: Format): string =>
  format === "csv" ? `${BYTE_ORDER_MARK}${Object.keys(columns).join(",")}\r\n` : ""

/** Events as lines of a file: CSV rows that spreadsheets read as text, or JSON objects without one-time tokens. */
export const recordsOf = (format: Format, events: ReadonlyArray<EventItem>): string =>
  events
    .map((event) =>
      format === "csv"
        ? `${Object.values(columns)
            .map((valueOf) => csvCell(valueOf(event)))
            .join(",")}\r\n`
        : `${JSON.stringify({ ...event, token: undefined })}\n`
    )
    .join("")
