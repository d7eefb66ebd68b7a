import { useState } from "react"
import { Link } from "wouter"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import type { Grant } from "#client/generated/types/Grant"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { ClientFrame } from "./ClientFrame.tsx"
import { kindOf, kindRules } from "./ClientKinds.ts"
import { clientTexts } from "./Texts.ts"

const Grants = ({ client }: { readonly client: ConnectedApp }) => {
  const t = useTexts(clientTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const toast = useToast()
  const [ending, setEnding] = useState<Grant | undefined>()
  const list = useList<Grant>(["grants", client.id], (sdk, page) =>
    sdk.grants.list({ ...page, client_app_id: client.id })
  )
  const kind = kindOf(client)
  const hasUsers = kind === undefined || kindRules[kind].hasUsers
  return (
    <Section title={t.tabs.grants} lead={t.grantsLead}>
      <Listing
        label={t.tabs.grants}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t.user,
            cell: ({ user_id }) => <Link href={pathIn(realmId, "users", user_id)}>{user_id}</Link>
          },
          { name: t.scopes, cell: ({ scopes }) => scopes.join(" ") },
          { name: t.given, cell: ({ created_at }) => <Time at={created_at} isRelative /> },
          { name: t.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} isRelative /> },
          {
            name: t.state,
            isRight: true,
            cell: (grant) =>
              grant.state === "ended" ? (
                <Badge>{t.ended}</Badge>
              ) : (
                <Button small disabled={!may("write")} onClick={() => setEnding(grant)}>
                  {t.end}
                </Button>
              )
          }
        ]}
        empty={<Empty title={t.grantsEmpty}>{hasUsers ? t.grantsEmptyText : t.grantsMachine}</Empty>}
      />
      {ending === undefined ? null : (
        <Confirm
          title={t.endTitle}
          action={t.end}
          write={(sdk) => sdk.grants.delete(ending.id)}
          changes={[["grants"]]}
          onDone={() => {
            setEnding(undefined)
            toast({ text: t.endedToast })
          }}
          onClose={() => setEnding(undefined)}
        >
          {t.endText(ending.id)}
        </Confirm>
      )}
    </Section>
  )
}

/** The grants that users have given an OAuth client. */
export const ClientGrantsPage = ({ clientId = "" }: Record<string, string>) => (
  <ClientFrame clientId={clientId}>{(client) => <Grants client={client} />}</ClientFrame>
)
