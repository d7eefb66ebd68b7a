import { useState } from "react"
import type { SessionItem } from "#client/generated/types/SessionItem"
import type { User } from "#client/generated/types/User"
import { useList, useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { browserOf } from "../timeline/Browser.ts"
import { useAct } from "../ui/Act.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Item, ItemList } from "../ui/Items.tsx"
import { usePageActions } from "../ui/PageActions.ts"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { AppName } from "./AppName.tsx"
import { userTexts } from "./UserTexts.ts"

const SessionRow = ({ session }: { readonly session: SessionItem }) => {
  const t = useTexts(userTexts)
  const { may } = useSession()
  const act = useAct()
  const { id, client_app_id, created_at, last_seen_at, acr, request } = session
  const client = request?.client ?? null
  return (
    <Item
      title={
        <>
          {client === null ? client_app_id === null ? t.program : <AppName id={client_app_id} /> : browserOf(client)}
          {acr === "aal2" ? <Badge tone="good">{t.twoFactors}</Badge> : null}
        </>
      }
      detail={
        <>
          {request?.ip === null || request === null ? null : <span>{request.ip}</span>}
          {client === null || client_app_id === null ? null : <AppName id={client_app_id} />}
          <span>
            {t.begun} <Time at={created_at} isRelative />
          </span>
          {last_seen_at === null ? null : (
            <span>
              {t.seen} <Time at={last_seen_at} isRelative />
            </span>
          )}
        </>
      }
      actions={
        may("help") ? (
          <Button
            small
            onClick={() =>
              void act({
                write: (sdk) => sdk.sessions.delete(id),
                text: t.sessionEnded,
                changes: [["sessions"], ["events"], ["grants"]]
              })
            }
          >
            {t.endSession}
          </Button>
        ) : undefined
      }
    />
  )
}

/** The active sessions of a user. */
export const Sessions = ({ user }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const { may } = useSession()
  const toast = useToast()
  const realmId = useRealmId()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const isManaged = realm.data?.session_type === "managed"
  const list = useList(
    ["sessions", user.id],
    (sdk, page) => sdk.sessions.list({ user_id: user.id, direction: "desc", ...page }),
    { enabled: isManaged }
  )
  const [isEnding, setEnding] = useState(false)
  const isSome = (list.items?.length ?? 0) > 0
  const endAll = { text: t.endAllSessions, onClick: () => setEnding(true) }
  usePageActions(user.name, may("help") && isSome ? [endAll] : [])
  if (realm.data !== undefined && !isManaged)
    return (
      <Section title={t.sessions}>
        <p className="faint">{t.unmanaged}</p>
      </Section>
    )
  return (
    <Section
      title={t.sessions}
      lead={t.sessionsLead}
      actions={
        isSome && may("help") ? (
          <Button small onClick={() => setEnding(true)}>
            {t.endAll}
          </Button>
        ) : undefined
      }
    >
      <ItemList label={t.sessions} list={list} empty={t.noSessions}>
        {(session) => <SessionRow key={session.id} session={session} />}
      </ItemList>
      {isEnding ? (
        <Confirm
          title={t.endAllTitle(user.name)}
          action={t.endAll}
          write={(sdk) => sdk.users.endSessions(user.id)}
          changes={[["sessions"], ["users", user.id, "trusted_devices"], ["events"], ["grants"]]}
          onClose={() => setEnding(false)}
          onDone={() => {
            toast({ text: t.allEnded })
            setEnding(false)
          }}
        >
          {t.endAllText}
        </Confirm>
      ) : null}
    </Section>
  )
}
