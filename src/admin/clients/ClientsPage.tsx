import { useApps } from "../apps/Apps.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { kindOf } from "./ClientKinds.ts"
import { clientTexts } from "./Texts.ts"

const example = (url: string, realmId: string) => `curl ${url}/v2/client_apps \\
  -H "Authorization: Bearer $SALLYPORT_KEY" -H "Content-Type: application/json" \\
  -d '{"realm_id": "${realmId}",
       "client_app": {"name": "Grafana", "client_type": "web",
                      "redirect_uris": ["https://grafana.example.com/login/generic_oauth"]}}'`

/** The list of a realm's OAuth clients. */
export const ClientsPage = () => {
  const t = useTexts(clientTexts)
  const needed = useNeededText()
  const realmId = useRealmId()
  const { may } = useSession()
  const list = useApps("clients")
  const create = may("admin_realm") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "clients", "new")}>
      {t.create}
    </ButtonLink>
  ) : undefined
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        {list.items?.length === 0 ? null : create}
      </PageHeader>
      <Listing
        label={t.title}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "clients", id)}
        columns={[
          { name: t.name, cell: ({ name }) => name },
          {
            name: t.type,
            cell: (client) => {
              const kind = kindOf(client)
              return kind === undefined ? null : <Badge>{t.kinds[kind]}</Badge>
            }
          },
          { name: t.clientId, cell: ({ id }) => <code>{id}</code> }
        ]}
        empty={
          <Empty
            title={t.emptyTitle}
            example={example(serviceUrl(), realmId)}
            action={create ?? <p>{needed("admin_realm")}</p>}
          >
            {t.emptyText}
          </Empty>
        }
      />
    </>
  )
}
