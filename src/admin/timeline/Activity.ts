import type { EventItem } from "#client/generated/types/EventItem"
import { useList } from "../calls/Reads.ts"
import { conditionOf } from "./DeliveryCondition.ts"

/** The user or org of a timeline. */
export type Subject = { readonly user_id: string } | { readonly org_id: string }

/** The filter of a timeline. */
export type Part = "all" | "mails" | "logins" | "changes"

/** Events that request an email. */
const mailTypes = [
  "user.email.verifying",
  "user.email.updating",
  "user.password.resetting",
  "user.email_code.requested",
  "invitation.org.invited",
  "invitation.preverify.invited",
  "invitation.referral.invited",
  "invitation.request.invited"
]

/** Whether an event has no effect unless an email is sent. */
export const needsMail = ({ event_type }: EventItem): boolean => mailTypes.includes(event_type)

const typesOf: Readonly<Record<Part, ReadonlyArray<string> | undefined>> = {
  all: undefined,
  mails: mailTypes,
  logins: [
    "user.login",
    "user.blocked",
    "user.unblocked",
    "user.recovery_code",
    "user.device",
    "user.password_token",
    "session."
  ],
  changes: [
    "user.created",
    "user.deletion",
    "user.updated",
    "user.profile",
    "user.email.verified",
    "membership.",
    "oauth.",
    "org."
  ]
}

/** The polling interval while deliveries are sent for the first time or retried, in milliseconds. */
const everyOf = (events: ReadonlyArray<EventItem>): number | undefined => {
  const conditions = events.flatMap(({ notifications }) => (notifications ?? []).map(conditionOf))
  return conditions.includes("waiting") ? 3_000 : conditions.includes("failing") ? 30_000 : undefined
}

/** Sorts newest first. Event IDs grow with time. */
const laterFirst = (one: EventItem, other: EventItem): number => (one.id < other.id ? 1 : -1)

/** Merges the events about a user and those caused by the user into one list, newest first. */
export const useActivity = (subject: Subject, part: Part) => {
  const event_type = typesOf[part]
  const query = { direction: "desc", expand: ["notifications", "display_names"], event_type } as const
  const userId = "user_id" in subject ? subject.user_id : undefined
  const subjectId = userId ?? ("org_id" in subject ? subject.org_id : "")
  const about = useList(
    ["events", "about", subjectId, part],
    (sdk, page) => sdk.events.list({ ...query, ...subject, ...page }),
    { every: everyOf }
  )
  const own = useList(
    ["events", "by", userId, part],
    (sdk, page) => sdk.events.list({ ...query, actor_id: userId, ...page }),
    { enabled: userId !== undefined, every: everyOf }
  )
  const lists = userId === undefined ? [about] : [about, own]
  const error = about.error ?? own.error
  const isRead = lists.every(({ items }) => items !== undefined)

  // A list with more pages is complete only down to its last loaded event, so older events of the other list are held back.
  const ends = lists.flatMap(({ items, more }) => (more ? [items?.at(-1)?.id ?? ""] : []))
  const known = ends.reduce((latest, id) => (id > latest ? id : latest), "")
  const all = new Map(lists.flatMap(({ items }) => items ?? []).map((event) => [event.id, event]))
  const items = [...all.values()].filter(({ id }) => id >= known).sort(laterFirst)
  return {
    items: isRead ? items : undefined,
    error,
    more: ends.length > 0,
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    /** Loads more of each list that limits how far back the timeline goes. */
    loadMore: () => {
      for (const { items: some, more, loadMore } of lists) if (more && some?.at(-1)?.id === known) loadMore()
    },
    reload: () => {
      for (const { reload } of lists) reload()
    }
  }
}
