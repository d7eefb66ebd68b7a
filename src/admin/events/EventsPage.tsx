import { useSearchParams } from "wouter"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Time } from "../ui/Time.tsx"
import { eventTypes } from "./EventTypes.ts"
import { Actor, Subject } from "./Subject.tsx"
import { eventTexts } from "./Texts.ts"

/** The polling interval of the live list, in milliseconds. */
const REFRESH = 2_000

const filters = ["event_type", "user_id", "actor_id"] as const

/** The events of a realm, newest first. */
export const EventsPage = () => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  const [search, setSearch] = useSearchParams()
  const [type, user, actor] = filters.map((name) => search.get(name) ?? "")
  const isLive = search.get("live") !== "off"
  const change = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      if (value === "") after.delete(name)
      else after.set(name, value)
      return after
    })
  const query = {
    ...(type === undefined || type === "" ? {} : { event_type: type }),
    ...(user === undefined || user === "" ? {} : { user_id: user }),
    ...(actor === undefined || actor === "" ? {} : { actor_id: actor })
  }
  const list = useList(
    ["events", type, user, actor],
    (sdk, page) => sdk.events.list({ ...page, ...query, direction: "desc" }),
    isLive ? { every: REFRESH } : {}
  )
  return (
    <>
      <PageHeader title={t.events} lead={t.lead} />
      <div className="filters">
        <select aria-label={t.type} value={type} onChange={({ target }) => change("event_type", target.value)}>
          <option value="">{t.anyType}</option>
          {eventTypes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <SearchField label={t.userHelp} value={user ?? ""} onSearch={(text) => change("user_id", text.trim())} />
        <SearchField label={t.actorFilter} value={actor ?? ""} onSearch={(text) => change("actor_id", text.trim())} />
        <label className="row" title={t.liveHelp}>
          <input
            type="checkbox"
            role="switch"
            checked={isLive}
            onChange={({ target }) => change("live", target.checked ? "" : "off")}
          />
          {t.live}
        </label>
      </div>
      <Listing
        label={t.events}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "events", id)}
        columns={[
          { name: t.type, cell: (event) => <code>{event.event_type}</code> },
          { name: t.about, cell: (event) => <Subject event={event} /> },
          { name: t.actor, cell: (event) => <Actor actor={event.actor} /> },
          { name: t.time, cell: (event) => <Time at={event.event_at} isRelative /> }
        ]}
        empty={
          <Empty title={t.emptyTitle}>
            <p>{t.emptyText}</p>
          </Empty>
        }
      />
    </>
  )
}
