import { useState } from "react"
import type { Operator } from "#client/generated/types/Operator"
import { operatorRoles } from "#domain/OperatorRole"
import { useList } from "../calls/Reads.ts"
import { useMailText } from "../session/MailText.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { ActionsMenu, type MenuAction } from "../ui/ActionsMenu.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Time } from "../ui/Time.tsx"
import { CreateAccount } from "./CreateAccount.tsx"
import { InvitationLink } from "./InvitationLink.tsx"
import { InviteDialog } from "./InviteDialog.tsx"
import { KeysSection } from "./KeysSection.tsx"
import { RealmName } from "./RealmName.tsx"
import { RemoveDialog } from "./RemoveDialog.tsx"
import { RoleDialog } from "./RoleDialog.tsx"
import { teamTexts } from "./Texts.ts"

/** The operators of the service: invitations, roles and removals. */
export const TeamPage = () => {
  const t = useTexts(teamTexts)
  const act = useAct()
  const ofMail = useMailText()
  const { session, may } = useSession()
  const [isInviting, setInviting] = useState(false)
  const [changing, setChanging] = useState<Operator | undefined>()
  const [removing, setRemoving] = useState<Operator | undefined>()
  const [link, setLink] = useState<string | undefined>()
  const isOwner = may("admin_all_realms")
  const list = useList(["operators"], (sdk, page) => sdk.operators.list({ ...page, direction: "asc" }), {
    enabled: isOwner
  })
  if (!isOwner) return <PageHeader title={t.team} lead={t.needsOwner} />
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      {t.invite}
    </Button>
  )
  const isSelf = ({ id }: Operator) => id === session.operator?.id
  const actionsOf = (operator: Operator): ReadonlyArray<MenuAction> => [
    ...(operator.state === "invited"
      ? [
          {
            text: t.resend,
            onClick: () =>
              void act({
                write: (sdk) => sdk.operators.invite(operator.id),
                text: ofMail(t.resent)(operator.email),
                changes: [["operators"]]
              })
          },
          {
            text: t.copyLink,
            onClick: () =>
              void act({
                write: async (sdk) => {
                  const { url } = await sdk.operators.invite(operator.id, { send_email: false })
                  setLink(url)
                },
                text: t.linkTitle,
                changes: [["operators"]]
              })
          }
        ]
      : []),
    { text: t.changeRole, onClick: () => setChanging(operator) },
    { text: t.remove, isDanger: true, onClick: () => setRemoving(operator) }
  ]
  return (
    <>
      <PageHeader title={t.team} lead={t.lead}>
        {invite}
      </PageHeader>
      <CreateAccount />
      <Listing
        label={t.team}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t.email,
            cell: (operator) => (
              <span className="row">
                <strong>{operator.email}</strong>
                {isSelf(operator) ? <Badge tone="good">{t.you}</Badge> : null}
                {operator.state === "invited" ? <Badge tone="waiting">{t.pending}</Badge> : null}
              </span>
            )
          },
          {
            name: t.role,
            cell: ({ role }) => {
              const known = operatorRoles.find((one) => one === role)
              return known === undefined ? role : <span title={t.roleTexts[known]}>{t.roles[known]}</span>
            }
          },
          {
            name: t.access,
            cell: ({ realm_id }) => (realm_id === null ? t.allRealms : <RealmName id={realm_id} />)
          },
          {
            name: t.lastLogin,
            cell: ({ last_login_at: at }) => (at === null ? t.never : <Time at={at} isRelative />)
          },
          {
            name: "",
            isRight: true,
            cell: (operator) => <ActionsMenu label={operator.email} actions={actionsOf(operator)} />
          }
        ]}
        empty={
          <Empty title={t.emptyTitle} action={invite}>
            <p>{t.emptyText}</p>
          </Empty>
        }
      />
      <KeysSection />
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      {changing === undefined ? null : <RoleDialog operator={changing} onClose={() => setChanging(undefined)} />}
      {link === undefined ? null : <InvitationLink title={t.linkTitle} url={link} onClose={() => setLink(undefined)} />}
      {removing === undefined ? null : (
        <RemoveDialog operator={removing} isSelf={isSelf(removing)} onClose={() => setRemoving(undefined)} />
      )}
    </>
  )
}
