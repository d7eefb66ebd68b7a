import type { OrgItem } from "#client/generated/types/OrgItem"
import { MAX_TOTAL } from "#domain/Page"
import { SelectionBar } from "../bulk/SelectionBar.tsx"
import { useList } from "../calls/Reads.ts"
import { useRealmId, useScope } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { useCount } from "../ui/Count.ts"
import { Empty } from "../ui/Empty.tsx"
import { useFilters } from "../ui/Filters.ts"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { useSelection } from "../ui/Selection.ts"
import { SortField, useSorting } from "../ui/Sorting.tsx"
import type { Column } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { OrgBulkActions } from "./BulkActions.tsx"
import { OrgState } from "./OrgState.tsx"
import { orgsTexts } from "./Texts.ts"

const example = (realmId: string): string => `curl -X POST '${serviceUrl()}/v2/orgs?realm_id=${realmId}' \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"org": {"name": "Analytical Engines Ltd."}}'`

const states = ["active", "inactive", "closed"] as const

const MemberCount = ({ count }: { readonly count: number }) => <>{useCount(count)}</>

/** The orgs of a realm. */
export const OrgsPage = () => {
  const t = useTexts(orgsTexts)
  const realmId = useRealmId()
  const { sdk } = useScope()
  const { may } = useSession()
  const { search, chosen, set, onSearch } = useFilters()
  const state = chosen("state", states)
  const sorting = useSorting([
    { by: "name", text: t.name, first: "asc" },
    { by: "id", text: t.created, first: "desc" }
  ])
  const { by: sort, direction } = sorting
  const list = useList(["orgs", search, state, sort, direction], (sdk, page) =>
    sdk.orgs.list({
      ...(search === "" ? { ...page, sort, direction } : { search, max_results: page.max_results }),
      state,
      expand: ["membership_count", ...(page.after === undefined ? (["total_results"] as const) : [])]
    })
  )
  const total = useCount(list.total)
  const selection = useSelection(list.items ?? [])
  const readAll = async () => {
    const all: Array<OrgItem> = []
    for await (const org of sdk.orgs.list({ state, max_results: 1000 })) {
      all.push(org)
      if (all.length >= MAX_TOTAL) break
    }
    return all
  }
  const columns: ReadonlyArray<Column<OrgItem>> = [
    { name: t.org, sort: "name", cell: ({ name }) => name },
    { name: t.state, cell: (org) => <OrgState state={org.state} /> },
    { name: t.members, cell: ({ membership_count = 0 }) => <MemberCount count={membership_count} />, isRight: true },
    { name: t.reference, isMinor: true, cell: ({ reference }) => reference ?? <span className="faint">–</span> },
    { name: t.created, sort: "id", cell: ({ created_at }) => <Time at={created_at} isRelative /> }
  ]
  const create = may("write") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "orgs", "new")}>
      {t.create}
    </ButtonLink>
  ) : null
  return (
    <>
      <PageHeader
        title={t.orgs}
        lead={t.lead}
        beside={total === undefined ? undefined : <span className="count">{total}</span>}
      >
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
        <SortField sorting={sorting} isSearched={search !== ""} />
      </div>
      <Listing
        label={t.orgs}
        list={search === "" ? list : { ...list, more: false }}
        columns={columns}
        keyOf={({ id }) => id}
        sort={search === "" ? sorting : undefined}
        selection={may("write") ? selection : undefined}
        nameOf={({ name }) => name}
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
      <SelectionBar selection={selection} total={total} readAll={list.more && search === "" ? readAll : undefined}>
        <OrgBulkActions selection={selection} />
      </SelectionBar>
      {search !== "" && list.more ? <p className="faint">{t.tooMany(list.items?.length ?? 0)}</p> : null}
    </>
  )
}
