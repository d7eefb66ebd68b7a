import { useSearchParams } from "wouter"
import { useList } from "../calls/Reads.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { CreateAccount } from "../team/CreateAccount.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { realmTexts } from "./Texts.ts"

/** An example command that creates a realm. */
const example = `curl -X POST ${window.location.origin}/v2/realms \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"realm": {"name": "Acme"}}'`

const states = ["active", "inactive"] as const

/** All realms of the service. */
export const RealmsPage = () => {
  const t = useTexts(realmTexts)
  const { may } = useSession()
  const [search, setSearch] = useSearchParams()
  const state = states.find((one) => one === search.get("state"))
  const list = useList(["realms", state], (sdk, page) => sdk.realms.list({ ...page, state }))
  const create = may("admin_all_realms") ? (
    <ButtonLink to="/realms/new" kind="primary">
      {t.create}
    </ButtonLink>
  ) : undefined
  return (
    <>
      <PageHeader title={t.realms} lead={t.lead}>
        {create}
      </PageHeader>
      <CreateAccount />
      <div className="filters">
        <select
          aria-label={t.state}
          value={state ?? ""}
          onChange={({ target }) => setSearch(target.value === "" ? {} : { state: target.value })}
        >
          <option value="">{t.anyState}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {t.states[one]}
            </option>
          ))}
        </select>
      </div>
      <Listing
        label={t.realms}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(id)}
        columns={[
          { name: t.name, cell: ({ name }) => name },
          { name: "ID", cell: ({ id }) => <code>{id}</code> },
          { name: t.reference, cell: ({ reference }) => reference ?? "–" },
          {
            name: t.state,
            cell: (realm) => <Badge tone={realm.state === "active" ? "good" : "bad"}>{t.states[realm.state]}</Badge>
          }
        ]}
        empty={
          <Empty title={t.emptyTitle} action={create} example={example}>
            <p>{t.emptyText}</p>
          </Empty>
        }
      />
    </>
  )
}
