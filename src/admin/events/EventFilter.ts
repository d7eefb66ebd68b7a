import type { ListEvents } from "#client/generated/v2/Events"

/** The filters of the events page, by their names in the URL. Blank if unset. */
export const filterNames = [
  "event_type",
  "result",
  "user_id",
  "org_id",
  "actor_id",
  "request_ip",
  "from",
  "to"
] as const

export type EventFilter = Readonly<Record<(typeof filterNames)[number], string>>

/** Reads the filters from the URL. */
export const filterIn = (params: URLSearchParams): EventFilter => {
  const of = (name: keyof EventFilter) => params.get(name) ?? ""
  return {
    event_type: of("event_type"),
    result: of("result"),
    user_id: of("user_id"),
    org_id: of("org_id"),
    actor_id: of("actor_id"),
    request_ip: of("request_ip"),
    from: of("from"),
    to: of("to")
  }
}

export const isFiltered = (filter: EventFilter): boolean => filterNames.some((name) => filter[name] !== "")

/** The start of a local day such as `2026-11-28`, or of a later one, in Unix seconds. Undefined if it isn't a day. */
const startOfDay = (day: string, daysLater = 0): number | undefined => {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + daysLater)
  const millis = date.getTime()
  return Number.isNaN(millis) || millis < 0 ? undefined : millis / 1000
}

/** The parameters of a list with these filters. Days are in the reader's time zone. */
export const queryOf = ({ from, to, result, ...exact }: EventFilter): ListEvents => {
  const [after, before] = [startOfDay(from), startOfDay(to, 1)]
  return {
    ...Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== "")),
    ...(result === "failed" || result === "succeeded" ? { result } : {}),
    // The API's lower bound is exclusive.
    ...(after === undefined ? {} : { created_at_after: Math.max(0, after - 0.001) }),
    ...(before === undefined ? {} : { created_at_before: before })
  }
}
