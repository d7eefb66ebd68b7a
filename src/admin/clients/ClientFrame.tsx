import { type ReactNode, useState } from "react"
import { useLocation } from "wouter"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { isMissing } from "../calls/Problems.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { useToast } from "../ui/Toast.tsx"
import { kindOf } from "./ClientKinds.ts"
import { clientTexts } from "./Texts.ts"

interface ClientFrameProps {
  readonly clientId: string
  readonly children: (client: ConnectedApp) => ReactNode
}

const ClientHeader = ({ client }: { readonly client: ConnectedApp }) => {
  const t = useTexts(clientTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const toast = useToast()
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { id, name } = client
  const kind = kindOf(client)
  const list = pathIn(realmId, "clients")
  const tabs = (["credentials", "settings", "grants"] as const).map((tab) => ({
    text: t.tabs[tab],
    to: tab === "credentials" ? pathIn(realmId, "clients", id) : pathIn(realmId, "clients", id, tab)
  }))
  return (
    <>
      <PageHeader
        title={name}
        above={[{ text: t.title, to: list }]}
        beside={
          <>
            {kind === undefined ? null : <Badge>{t.kinds[kind]}</Badge>}
            {client.state === "inactive" ? <Badge tone="waiting">{t.inactive}</Badge> : null}
            {client.registration === null ? null : <Badge>{t.registered}</Badge>}
          </>
        }
      >
        {may("admin_realm") ? (
          <ActionsMenu
            label={name}
            actions={[{ text: t.deleteClient, isDanger: true, onClick: () => setDeleting(true) }]}
          />
        ) : undefined}
      </PageHeader>
      <Tabs label={`${t.title}: ${name}`} tabs={tabs} />
      {deleting ? (
        <Confirm
          title={t.deleteTitle(name)}
          action={t.deleteClient}
          typed={name}
          write={(sdk) => sdk.clientApps.delete(id)}
          changes={[["client_apps"]]}
          onDone={() => {
            toast({ text: t.deleted(name) })
            navigate(list)
          }}
          onClose={() => setDeleting(false)}
        >
          {t.deleteText(name)}
        </Confirm>
      ) : null}
    </>
  )
}

/** The header and tabs shared by all pages of an OAuth client. */
export const ClientFrame = ({ clientId, children }: ClientFrameProps) => {
  const { data, error, refetch } = useRead(["client_apps", clientId], async (sdk) => await sdk.clientApps.get(clientId))
  if (data === undefined && isMissing(error)) return <MissingPage />
  if (data === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <ClientHeader client={data} />
      {children(data)}
    </>
  )
}
