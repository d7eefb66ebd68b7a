import type { EventItem } from "#client/generated/types/EventItem"

/** Consecutive events of the same type: of one user, or caused by one call, such as the login methods of a new realm. */
export interface EventGroup {
  readonly latest: EventItem
  readonly earliest: EventItem
  readonly count: number
  readonly isOneUser: boolean
}

/** The maximum interval between consecutive events of one user, in seconds. */
const MAX_USER_GAP = 60

/** The maximum interval between consecutive events of one call, in seconds. */
const MAX_CALL_GAP = 1

const isSameUser = (one: EventItem, other: EventItem): boolean =>
  one.user_id === other.user_id && one.names?.join() === other.names?.join()

/** Folds events, newest first, into groups. */
export const foldedEvents = (events: ReadonlyArray<EventItem>): ReadonlyArray<EventGroup> =>
  events.reduce<ReadonlyArray<EventGroup>>((folded, event) => {
    const last = folded.at(-1)
    const single = {
      latest: event,
      earliest: event,
      count: 1,
      isOneUser: event.user_id !== undefined || event.names !== undefined
    }
    if (last === undefined) return [single]
    const { earliest } = last
    const isOneUser = last.isOneUser && isSameUser(earliest, event)
    // Logins of different users on the same login page are unrelated.
    const isOneCall = event.actor.type === "api_key" || event.actor.type === "operator" || event.user_id === undefined
    const isTogether =
      earliest.event_type === event.event_type &&
      earliest.actor.id === event.actor.id &&
      (isOneUser || (isOneCall && event.names === undefined)) &&
      earliest.event_at - event.event_at <= (isOneUser ? MAX_USER_GAP : MAX_CALL_GAP)
    return isTogether
      ? [...folded.slice(0, -1), { ...last, earliest: event, count: last.count + 1, isOneUser }]
      : [...folded, single]
  }, [])
