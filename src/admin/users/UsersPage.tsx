import { BadgeCheck } from "lucide-react"
import { useCallback, useState } from "react"
import type { UserItem } from "#client/generated/types/UserItem"
import { MAX_TOTAL } from "#domain/Page"
import { SelectionBar } from "../bulk/SelectionBar.tsx"
import { useList } from "../calls/Reads.ts"
import { useRealmId, useScope } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { useCount } from "../ui/Count.ts"
import { Empty } from "../ui/Empty.tsx"
import { useFilters } from "../ui/Filters.ts"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { useRequested } from "../ui/Requested.ts"
import { SearchField } from "../ui/SearchField.tsx"
import { useSelection } from "../ui/Selection.ts"
import { SortField, useSorting } from "../ui/Sorting.tsx"
import type { Column } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { UserBulkActions } from "./BulkActions.tsx"
import { SecondFactor, UserOrgNames } from "./Cells.tsx"
import { ExportUsers } from "./ExportUsers.tsx"
import { usersTexts } from "./Texts.ts"
import { DeletesOn, UserState } from "./UserState.tsx"

const example = (realmId: string): string => `curl -X POST '${serviceUrl()}/v2/users?realm_id=${realmId}' \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"user": {"email": "ada@example.com", "first_name": "Ada", "credentials": []}}'`

/** The users of a realm. Search and filters are stored in the query string. */
export const UsersPage = () => {
  const t = useTexts(usersTexts)
  const c = useTexts(common)
  const realmId = useRealmId()
  const { sdk } = useScope()
  const { may } = useSession()
  const [isExporting, setExporting] = useState(false)
  useRequested(
    "export",
    useCallback(() => setExporting(true), [])
  )
  const { search, chosen, set, onSearch } = useFilters()
  const state = chosen("state", ["active", "inactive"])

  const sorting = useSorting([
    { by: "email", text: t.email, first: "asc" },
    { by: "name", text: t.name, first: "asc" },
    { by: "last_login", text: t.lastLogin, first: "desc" },
    { by: "id", text: t.created, first: "desc" }
  ])
  const { by: sort, direction } = sorting
  const list = useList(["users", search, state, sort, direction], (sdk, page) =>
    sdk.users.list({
      ...(search === "" ? { ...page, sort, direction } : { search, max_results: page.max_results }),
      state,
      expand: ["orgs", "credentials", ...(page.after === undefined ? (["total_results"] as const) : [])]
    })
  )
  const total = useCount(list.total)
  const selection = useSelection(list.items ?? [])
  const readAll = async () => {
    const all: Array<UserItem> = []
    for await (const user of sdk.users.list({ state, max_results: 1000 })) {
      all.push(user)
      if (all.length >= MAX_TOTAL) break
    }
    return all
  }
  const columns: ReadonlyArray<Column<UserItem>> = [
    {
      name: t.user,
      cell: ({ name, email, email_verification }) => (
        <>
          {name}
          {email === null ? null : (
            <span className="cell-detail email" title={email}>
              <span>{email}</span>
              {email_verification === "verified" ? (
                <BadgeCheck className="verified" role="img" aria-label={t.verified} />
              ) : null}
            </span>
          )}
        </>
      ),
      sort: "name"
    },
    {
      name: t.state,
      cell: ({ state, deletion_at }) => (
        <span className="badges">
          <UserState state={state} />
          <DeletesOn at={deletion_at} />
        </span>
      )
    },
    { name: t.orgs, cell: (user) => <UserOrgNames user={user} /> },
    { name: t.secondFactor, cell: (user) => <SecondFactor user={user} />, isMinor: true },
    {
      name: t.lastLogin,
      sort: "last_login",
      cell: ({ last_login_at }) =>
        last_login_at === null ? <span className="faint">{c.never}</span> : <Time at={last_login_at} isRelative />
    },
    { name: t.created, sort: "id", cell: ({ created_at }) => <Time at={created_at} isRelative />, isMinor: true }
  ]
  const create = may("write") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "users", "new")}>
      {t.create}
    </ButtonLink>
  ) : null
  const isFiltered = search !== "" || state !== undefined
  return (
    <>
      <PageHeader
        title={t.users}
        lead={t.lead}
        beside={total === undefined ? undefined : <span className="count">{total}</span>}
      >
        {may("admin_realm") ? (
          <>
            <Button onClick={() => setExporting(true)}>{t.export}</Button>
            <ButtonLink to={pathIn(realmId, "users", "import")}>{t.import}</ButtonLink>
          </>
        ) : null}
        {create}
      </PageHeader>
      <div className="filters">
        <SearchField label={t.search} value={search} onSearch={onSearch} />
        <select aria-label={t.state} value={state ?? ""} onChange={(event) => set("state", event.target.value)}>
          <option value="">{t.anyState}</option>
          <option value="active">{t.active}</option>
          <option value="inactive">{t.inactive}</option>
        </select>
        <SortField sorting={sorting} isSearched={search !== ""} />
      </div>
      <Listing
        label={t.users}
        list={search === "" ? list : { ...list, more: false }}
        columns={columns}
        keyOf={({ id }) => id}
        sort={search === "" ? sorting : undefined}
        selection={may("write") ? selection : undefined}
        nameOf={({ name }) => name}
        to={({ id }) => pathIn(realmId, "users", id)}
        empty={
          isFiltered ? (
            <Empty title={t.noMatch}>{t.noMatchText}</Empty>
          ) : (
            <Empty title={t.noneTitle} action={create} example={example(realmId)}>
              {t.noneText}
            </Empty>
          )
        }
      />
      {search !== "" && list.more ? <p className="faint">{t.tooMany(list.items?.length ?? 0)}</p> : null}
      <SelectionBar selection={selection} total={total} readAll={list.more && search === "" ? readAll : undefined}>
        <UserBulkActions selection={selection} />
      </SelectionBar>
      {isExporting ? <ExportUsers onClose={() => setExporting(false)} /> : null}
    </>
  )
}
