import type { Sallyport } from "#client/Sallyport"
import { findOrgs, findUsers } from "../memberships/Search.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useEventName } from "../timeline/EventName.ts"
import { Button } from "../ui/Button.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { type EventFilter, isFiltered } from "./EventFilter.ts"
import { eventTypes } from "./EventTypes.ts"
import { FilterPicker, type Found } from "./FilterPicker.tsx"
import { eventTexts } from "./Texts.ts"

/** The groups of event types: the prefixes that an option for the whole group stands for. */
const groups = {
  logins: ["user.login.", "user.blocked", "user.recovery_code."],
  users: ["user."],
  sessions: ["session."],
  orgs: ["org."],
  memberships: ["membership."],
  invitations: ["invitation."],
  apps: ["login_policy."],
  oauth: ["oauth.", "token."],
  loginMethods: ["auth_provider."],
  hooks: ["app_hook.", "hook."],
  keys: ["api_key.", "console."],
  realm: ["realm."]
} as const

type Group = keyof typeof groups

const groupNames = Object.keys(groups).filter((name): name is Group => Object.hasOwn(groups, name))

const typesIn = (group: Group): ReadonlyArray<string> =>
  eventTypes.filter((type) => groups[group].some((prefix) => type.startsWith(prefix)))

const shownTypes = (group: Group): ReadonlyArray<string> =>
  group === "users" ? typesIn("users").filter((type) => !typesIn("logins").includes(type)) : typesIn(group)

/** The number of API keys and of apps among which an actor is searched, the most that a page can have. */
const MAX_KEYS = 1_000
const MAX_APPS = 100

const userIds = async (sdk: Sallyport, text: string): Promise<ReadonlyArray<Found>> =>
  (await findUsers(sdk, text)).items.map(({ id, name, email }) => ({ id, name, detail: email ?? undefined }))

const orgIds = async (sdk: Sallyport, text: string): Promise<ReadonlyArray<Found>> =>
  (await findOrgs(sdk, text)).items.map(({ id, name, reference }) => ({ id, name, detail: reference ?? undefined }))

interface EventFiltersProps {
  readonly filter: EventFilter
  readonly onChange: (name: keyof EventFilter, value: string) => void
  readonly onClear: () => void
}

/** The filters of the events page. */
export const EventFilters = ({ filter, onChange, onClear }: EventFiltersProps) => {
  const t = useTexts(eventTexts)
  const nameOf = useEventName()
  const { may } = useSession()

  /** Finds users, apps and, if the session may list them, API keys. */
  const findActors = async (sdk: Sallyport, text: string): Promise<ReadonlyArray<Found>> => {
    const named = (kind: string, items: ReadonlyArray<{ readonly id: string; readonly name: string | null }>) =>
      items
        .filter(({ id, name }) => id === text || (name ?? "").toLowerCase().includes(text.toLowerCase()))
        .map(({ id, name }) => ({ id, name: name ?? id, detail: kind }))
    const [users, apps, keys] = await Promise.all([
      userIds(sdk, text),
      sdk.clientApps.list({ max_results: MAX_APPS }),
      may("admin_realm") ? sdk.apiKeys.list({ max_results: MAX_KEYS }) : { items: [] }
    ])
    return [...users, ...named(t.actors.api_key, keys.items), ...named(t.app, apps.items)].slice(0, 12)
  }
  const actorName = async (sdk: Sallyport, id: string): Promise<string> => {
    if (id.startsWith("usr_")) return (await sdk.users.get(id)).name
    if (id.startsWith("key_")) return (await sdk.apiKeys.get(id)).name ?? id
    return id.startsWith("lpl_") ? (await sdk.clientApps.get(id)).name : id
  }
  return (
    <search className="filters event-filters" aria-label={t.filters}>
      <select
        aria-label={t.type}
        value={filter.event_type}
        onChange={({ target }) => onChange("event_type", target.value)}
      >
        <option value="">{t.anyType}</option>
        {groupNames.map((group) => (
          <optgroup key={group} label={t.groups[group]}>
            <option value={groups[group].join(",")}>{t.allOf(t.groups[group])}</option>
            {shownTypes(group).map((type) => (
              <option key={type} value={type}>
                {nameOf(type)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <select aria-label={t.result} value={filter.result} onChange={({ target }) => onChange("result", target.value)}>
        <option value="">{t.anyResult}</option>
        <option value="failed">{t.results.failed}</option>
        <option value="succeeded">{t.results.succeeded}</option>
      </select>
      <FilterPicker
        label={t.user}
        value={filter.user_id}
        onPick={(id) => onChange("user_id", id)}
        find={userIds}
        nameOf={async (sdk, id) => (await sdk.users.get(id)).name}
      />
      <FilterPicker
        label={t.org}
        value={filter.org_id}
        onPick={(id) => onChange("org_id", id)}
        find={orgIds}
        nameOf={async (sdk, id) => (await sdk.orgs.get(id)).name}
      />
      <FilterPicker
        label={t.actor}
        value={filter.actor_id}
        onPick={(id) => onChange("actor_id", id)}
        find={findActors}
        nameOf={actorName}
      />
      <SearchField label={t.ip} value={filter.request_ip} onSearch={(text) => onChange("request_ip", text.trim())} />
      <label className="filter-day">
        <span className="faint">{t.from}</span>
        <input
          type="date"
          value={filter.from}
          max={filter.to}
          onChange={({ target }) => onChange("from", target.value)}
        />
      </label>
      <label className="filter-day">
        <span className="faint">{t.to}</span>
        <input
          type="date"
          value={filter.to}
          min={filter.from}
          onChange={({ target }) => onChange("to", target.value)}
        />
      </label>
      {isFiltered(filter) ? (
        <Button small kind="quiet" onClick={onClear}>
          {t.clear}
        </Button>
      ) : null}
    </search>
  )
}
