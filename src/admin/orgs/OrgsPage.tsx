import type { OrgItem } from "#client/generated/types/OrgItem"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { useFilters } from "../ui/Filters.ts"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import type { Column } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { OrgState } from "./OrgState.tsx"
import { orgsTexts } from "./Texts.ts"

const example = (realmId: string): string => `curl -X POST '${serviceUrl()}/v2/orgs?realm_id=${realmId}' \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"org": {"name": "Analytical Engines Ltd."}}'`

const states = ["active", "inactive", "closed"] as const

/** The orgs of a realm. */
export const OrgsPage = () => {
  const t = useTexts(orgsTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const { search, chosen, set, onSearch } = useFilters()
  const state = chosen("state", states)
  const list = useList(["orgs", search, state], (sdk, page) =>
    sdk.orgs.list({ ...(search === "" ? page : { search, max_results: page.max_results }), state })
  )
  const columns: ReadonlyArray<Column<OrgItem>> = [
    { name: t.org, cell: ({ name }) => name },
    { name: t.state, cell: (org) => <OrgState state={org.state} /> },
    { name: t.reference, cell: ({ reference }) => reference ?? <span className="faint">–</span> },
    { name: t.created, cell: ({ created_at }) => <Time at={created_at} isRelative /> }
  ]
  const create = may("write") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "orgs", "new")}>
      {t.create}
    </ButtonLink>
  ) : null
  return (
    <>
      <PageHeader title={t.orgs} lead={t.lead}>
        {create}
      </PageHeader>
      <div className="filters">
        <SearchField label={t.search} value={search} onSearch={onSearch} />
        <select aria-label={t.state} value={state ?? ""} onChange={(event) => set("state", event.target.value)}>
          <option value="">{t.anyState}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {t.states[one]}
            </option>
          ))}
        </select>
      </div>
      <Listing
        label={t.orgs}
        list={search === "" ? list : { ...list, more: false }}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "orgs", id)}
        empty={
          search !== "" || state !== undefined ? (
            <Empty title={t.noMatch}>{t.noMatchText}</Empty>
          ) : (
            <Empty title={t.noneTitle} action={create} example={example(realmId)}>
              {t.noneText}
            </Empty>
          )
        }
      />
      {search !== "" && list.more ? <p className="faint">{t.tooMany(list.items?.length ?? 0)}</p> : null}
    </>
  )
}
