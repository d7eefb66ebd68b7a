import { ExternalLink } from "lucide-react"
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
import { appTexts } from "./Texts.ts"

interface AppFrameProps {
  readonly appId: string
  readonly children: (app: ConnectedApp) => ReactNode
}

const isWebUrl = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url)

const AppHeader = ({ app }: { readonly app: ConnectedApp }) => {
  const t = useTexts(appTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const toast = useToast()
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { id, name, login_url, domains, state } = app
  const list = pathIn(realmId, "apps")
  return (
    <>
      <PageHeader
        title={name}
        above={[{ text: t.title, to: list }]}
        lead={domains[0]}
        beside={state === "inactive" ? <Badge tone="waiting">{t.inactive}</Badge> : undefined}
      >
        {isWebUrl(login_url) ? (
          <a className="button" href={login_url} target="_blank" rel="noreferrer">
            {t.openLogin} <ExternalLink aria-hidden />
          </a>
        ) : null}
        {may("admin_realm") ? (
          <ActionsMenu
            label={name}
            actions={[{ text: t.deleteApp, isDanger: true, onClick: () => setDeleting(true) }]}
          />
        ) : null}
      </PageHeader>
      <Tabs
        label={`${t.title}: ${name}`}
        tabs={[
          { text: t.tabs.settings, to: pathIn(realmId, "apps", id) },
          { text: t.tabs.appearance, to: pathIn(realmId, "apps", id, "appearance") }
        ]}
      />
      {deleting ? (
        <Confirm
          title={t.deleteTitle(name)}
          action={t.deleteApp}
          typed={name}
          write={(sdk) => sdk.clientApps.delete(id)}
          changes={[["client_apps"]]}
          onDone={() => {
            toast({ text: t.deleted(name) })
            navigate(list)
          }}
          onClose={() => setDeleting(false)}
        >
          {t.deleteText(domains[0] ?? name)}
        </Confirm>
      ) : null}
    </>
  )
}

/** The header and tabs shared by all pages of a connected app. */
export const AppFrame = ({ appId, children }: AppFrameProps) => {
  const { data, error, refetch } = useRead(["client_apps", appId], async (sdk) => await sdk.clientApps.get(appId))
  if (data === undefined && isMissing(error)) return <MissingPage />
  if (data === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <AppHeader app={data} />
      {children(data)}
    </>
  )
}
