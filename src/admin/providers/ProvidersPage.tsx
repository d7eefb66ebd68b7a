import type { AuthProvider } from "#client/generated/types/AuthProvider"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { Table } from "../ui/Table.tsx"
import { builtInTypes, isExternal, typeOf } from "./ProviderTypes.ts"
import { aboutType, providerTexts } from "./Texts.ts"

const example = (url: string, realmId: string) => `curl ${url}/v2/auth_providers \\
  -H "Authorization: Bearer $SALLYPORT_KEY" -H "Content-Type: application/json" \\
  -d '{"realm_id": "${realmId}",
       "auth_provider": {"provider_type": "google", "client_id": "…", "client_secret": "…"}}'`

const isOutside = (provider: AuthProvider): boolean => {
  const type = typeOf(provider)
  return type === undefined || isExternal(type)
}

/** The login methods of a realm. */
export const ProvidersPage = () => {
  const t = useTexts(providerTexts)
  const realmId = useRealmId()
  const { may, session } = useSession()
  const list = useList<AuthProvider>(["auth_providers"], (sdk, page) => sdk.authProviders.list(page))
  const nameOf = (provider: AuthProvider) => {
    const type = typeOf(provider)
    const own = "name" in provider ? provider.name : null
    return own ?? (type === undefined ? provider.provider_type : t.names[type])
  }
  const columns = [
    {
      name: t.method,
      cell: (provider: AuthProvider) => nameOf(provider)
    },
    {
      name: t.what,
      cell: (provider: AuthProvider) => {
        const type = typeOf(provider)
        return type === undefined ? null : <span className="faint">{aboutType(t, type)}</span>
      }
    },
    {
      name: t.state,
      cell: ({ state }: AuthProvider) => <Badge tone={state === "active" ? "good" : "plain"}>{t[state]}</Badge>
    }
  ]
  const add = may("admin_realm") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "providers", "new")}>
      {t.add}
    </ButtonLink>
  ) : undefined
  const props = {
    keyOf: ({ id }: AuthProvider) => id,
    to: ({ id }: AuthProvider) => pathIn(realmId, "providers", id),
    columns
  }
  const inner = list.items
    ?.filter((one) => !isOutside(one))
    .toSorted(
      (a, b) =>
        builtInTypes.findIndex((type) => type === a.provider_type) -
        builtInTypes.findIndex((type) => type === b.provider_type)
    )
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        {add}
      </PageHeader>
      <Section title={t.builtIn}>
        {inner === undefined ? <Loading /> : <Table {...props} label={t.builtIn} items={inner} />}
      </Section>
      <Section title={t.external} lead={t.externalLead}>
        <Listing
          {...props}
          label={t.external}
          list={{ ...list, items: list.items?.filter(isOutside) }}
          empty={
            <Empty title={t.emptyTitle} example={example(session.service.api_url, realmId)} action={add}>
              {t.emptyText}
            </Empty>
          }
        />
      </Section>
    </>
  )
}
