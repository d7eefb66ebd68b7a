import { useState } from "react"
import type { UserItem } from "#client/generated/types/UserItem"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { useFilters } from "../ui/Filters.ts"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import type { Column } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { ExportUsers } from "./ExportUsers.tsx"
import { usersTexts } from "./Texts.ts"
import { UserState } from "./UserState.tsx"

const example = (realmId: string): string => `curl -X POST '${serviceUrl()}/v2/users?realm_id=${realmId}' \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"user": {"email": "ada@example.com", "first_name": "Ada", "credentials": []}}'`

/** The users of a realm. Search and filters are stored in the query string. */
export const UsersPage = () => {
  const t = useTexts(usersTexts)
  const c = useTexts(common)
  const realmId = useRealmId()
  const { may } = useSession()
  const [isExporting, setExporting] = useState(false)
  const { search, chosen, set, onSearch } = useFilters()
  const state = chosen("state", ["active", "inactive"])

  const list = useList(["users", search, state], (sdk, page) =>
    sdk.users.list({ ...(search === "" ? page : { search, max_results: page.max_results }), state })
  )
  const columns: ReadonlyArray<Column<UserItem>> = [
    {
      name: t.user,
      cell: ({ name, email }) => (
        <>
          {name}
          {email === null ? null : <span className="cell-detail">{email}</span>}
        </>
      )
    },
    { name: t.state, cell: (user) => <UserState state={user.state} /> },
    {
      name: t.lastLogin,
      cell: ({ last_login_at }) =>
        last_login_at === null ? <span className="faint">{c.never}</span> : <Time at={last_login_at} isRelative />
    },
    { name: t.created, cell: ({ created_at }) => <Time at={created_at} isRelative /> }
  ]
  const create = may("write") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "users", "new")}>
      {t.create}
    </ButtonLink>
  ) : null
  const isFiltered = search !== "" || state !== undefined
  return (
    <>
      <PageHeader title={t.users} lead={t.lead}>
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
      </div>
      <Listing
        label={t.users}
        list={search === "" ? list : { ...list, more: false }}
        columns={columns}
        keyOf={({ id }) => id}
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
      {isExporting ? <ExportUsers onClose={() => setExporting(false)} /> : null}
    </>
  )
}
