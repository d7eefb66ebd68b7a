import type { EventItem } from "#client/generated/types/EventItem"
import { useTexts } from "../texts/Language.tsx"
import { toneOf, useEventTitle, useMemberList } from "../timeline/EventName.ts"
import { timelineTexts } from "../timeline/Texts.ts"
import { eventTexts } from "./Texts.ts"

/** What an event adds to its type: the reason of a failure, the number of attempts, or the changed members. */
export const useEventDetail = (): ((event: EventItem) => string) => {
  const t = useTexts(eventTexts)
  const { reasons } = useTexts(timelineTexts)
  const listOf = useMemberList()
  return ({ reason, attempts, changed = [] }) =>
    [
      reason === undefined ? "" : reasons[reason],
      attempts === undefined || attempts === 1 ? "" : t.attempts(attempts),
      listOf(changed)
    ]
      .filter((one) => one !== "")
      .join(" · ")
}

/** An event's type in words, with its details. Failures are marked by color and by a text for screen readers. */
export const EventText = ({ event }: { readonly event: EventItem }) => {
  const t = useTexts(eventTexts)
  const titleOf = useEventTitle()
  const detail = useEventDetail()(event)
  const tone = toneOf(event.event_type)
  return (
    <span className={`event-text ${tone}`} title={event.event_type}>
      <span className="event-name">
        {titleOf(event)}
        {tone === "bad" ? <span className="visually-hidden"> ({t.results.failed})</span> : null}
      </span>
      {detail === "" ? null : <span className="cell-detail">{detail}</span>}
    </span>
  )
}
