import { useCallback, useState } from "react"
import { useSearchParams } from "wouter"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CopyButton } from "../ui/Copy.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Time } from "../ui/Time.tsx"
import { EventText } from "./EventCells.tsx"
import { type EventFilter, filterIn, filterNames, queryOf } from "./EventFilter.ts"
import { EventFilters } from "./EventFilters.tsx"
import { ExportEvents } from "./ExportEvents.tsx"
import { Actor, Origin, Subject } from "./Subject.tsx"
import { eventTexts } from "./Texts.ts"

/** The polling interval of the live list, in milliseconds. */
const REFRESH = 2_000

/** The events of a realm, newest first. Filters are stored in the query string. */
export const EventsPage = () => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  const [search, setSearch] = useSearchParams()
  const [isExporting, setExporting] = useState(false)
  const filter = filterIn(search)
  const isLive = search.get("live") !== "off"
  const change = useCallback(
    (name: keyof EventFilter | "live", value: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === "") after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true }
      ),
    [setSearch]
  )
  const clear = () =>
    setSearch((before) => new URLSearchParams([...before].filter(([name]) => !filterNames.some((one) => one === name))))
  const list = useList(
    ["events", ...filterNames.map((name) => filter[name])],
    (sdk, page) => sdk.events.list({ ...queryOf(filter), ...page, direction: "desc", expand: "display_names" }),
    isLive ? { every: REFRESH } : {}
  )
  return (
    <>
      <PageHeader title={t.events} lead={t.lead}>
        <label className="row" title={t.liveHelp}>
          <input
            type="checkbox"
            role="switch"
            checked={isLive}
            onChange={({ target }) => change("live", target.checked ? "" : "off")}
          />
          {t.live}
        </label>
        <Button onClick={() => setExporting(true)}>{t.export}</Button>
      </PageHeader>
      <EventFilters filter={filter} onChange={change} onClear={clear} />
      <Listing
        label={t.events}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "events", id)}
        columns={[
          { name: t.event, cell: (event) => <EventText event={event} /> },
          { name: t.about, cell: (event) => <Subject event={event} /> },
          { name: t.actor, cell: (event) => <Actor event={event} /> },
          { name: t.origin, cell: (event) => <Origin event={event} /> },
          {
            name: t.time,
            cell: ({ event_at }) => (
              <span className="event-time">
                <Time at={event_at} hasSeconds />
              </span>
            )
          },
          { name: "", isRight: true, cell: (event) => <CopyButton text={event.id} label={t.copyId} /> }
        ]}
        empty={
          <Empty title={t.emptyTitle}>
            <p>{t.emptyText}</p>
          </Empty>
        }
      />
      {isExporting ? <ExportEvents filter={filter} onClose={() => setExporting(false)} /> : null}
      {list.isPaused ? <p className="faint">{t.livePaused}</p> : null}
    </>
  )
}
