import { useRealmId } from "../calls/Scope.tsx"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { useApps } from "./Apps.ts"
import { appTexts } from "./Texts.ts"

const example = (url: string, realmId: string) => `curl ${url}/v2/client_apps \\
  -H "Authorization: Bearer $SALLYPORT_KEY" -H "Content-Type: application/json" \\
  -d '{"realm_id": "${realmId}",
       "client_app": {"name": "Notes", "login_handler": "https://notes.example.com/in"}}'`

/** The list of a realm's connected apps. */
export const AppsPage = () => {
  const t = useTexts(appTexts)
  const needed = useNeededText()
  const realmId = useRealmId()
  const { may, session } = useSession()
  const list = useApps("apps")
  const create = may("admin_realm") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "apps", "new")}>
      {t.create}
    </ButtonLink>
  ) : undefined
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        {list.items?.length === 0 ? undefined : create}
      </PageHeader>
      <Listing
        label={t.title}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "apps", id)}
        columns={[
          { name: t.name, cell: ({ name }) => name },
          { name: t.host, cell: ({ domains }) => domains[0] },
          { name: t.id, cell: ({ id }) => <code>{id}</code> }
        ]}
        empty={
          <Empty
            title={t.emptyTitle}
            example={example(session.service.api_url, realmId)}
            action={create ?? <p>{needed("admin_realm")}</p>}
          >
            {t.emptyText}
          </Empty>
        }
      />
    </>
  )
}
