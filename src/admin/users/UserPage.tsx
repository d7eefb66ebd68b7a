import { useState } from "react"
import { useLocation } from "wouter"
import type { User } from "#client/generated/types/User"
import { isMissing } from "../calls/Problems.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { ResourceLinks } from "../memberships/ResourceLinks.tsx"
import { useSession } from "../session/SessionState.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Timeline } from "../timeline/Timeline.tsx"
import { useAct } from "../ui/Act.ts"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Loading } from "../ui/Loading.tsx"
import { usePageActions } from "../ui/PageActions.ts"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { UserApps } from "./Apps.tsx"
import { BlockedBadge, BlockNote } from "./Blocks.tsx"
import { DeletionNote } from "./DeletionNote.tsx"
import { useMailActions } from "./MailActions.tsx"
import { Mails } from "./Mails.tsx"
import { UserOrgs } from "./Orgs.tsx"
import { Profile } from "./Profile.tsx"
import { Sessions } from "./Sessions.tsx"
import { SignInMethods } from "./SignInMethods.tsx"
import { usersTexts } from "./Texts.ts"
import { TrustedDevices } from "./TrustedDevices.tsx"
import { UserState } from "./UserState.tsx"
import { userTexts } from "./UserTexts.ts"

/** The actions for the whole account. */
const Actions = ({ user }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const [, navigate] = useLocation()
  const act = useAct()
  const toast = useToast()
  const [isDeleting, setDeleting] = useState(false)
  const mailActions = useMailActions(user)
  const { id, name, email, state } = user
  const isActive = state === "active"
  const isEditor = may("write")
  const set = (next: "active" | "inactive") =>
    act({
      write: (sdk) => sdk.users.update(id, { state: next }),
      text: next === "active" ? t.activated(name) : t.deactivated(name),
      undo: () => (sdk) => sdk.users.update(id, { state })
    })
  const toggle = {
    text: isActive ? t.deactivate : t.activate,
    onClick: () => void set(isActive ? "inactive" : "active")
  }
  const remove = { text: t.delete, isDanger: true, onClick: () => setDeleting(true) }
  const actions = [...mailActions, ...(isEditor ? [remove] : [])]
  usePageActions(name, may("help") ? [...(isEditor ? [toggle] : []), ...actions] : [])
  if (!may("help")) return null
  return (
    <>
      {isEditor ? <Button onClick={toggle.onClick}>{toggle.text}</Button> : null}
      <ActionsMenu label={name} actions={actions} />
      {isDeleting ? (
        <Confirm
          title={t.deleteTitle(name)}
          action={t.delete}
          typed={email ?? name}
          write={(sdk) => sdk.users.delete(id)}
          changes={[["users", ""]]}
          onClose={() => setDeleting(false)}
          onDone={() => {
            toast({ text: t.deleted(name) })
            navigate(pathIn(realmId, "users"))
          }}
        >
          {t.deleteText}
        </Confirm>
      ) : null}
    </>
  )
}

/** A user with all related information on one page. */
export const UserPage = ({ userId = "" }: { readonly userId?: string }) => {
  const t = useTexts(userTexts)
  const u = useTexts(usersTexts)
  const realmId = useRealmId()
  const { data: user, error, refetch } = useRead(["users", userId], (sdk) => sdk.users.get(userId))
  if (isMissing(error)) return <MissingPage />
  if (user === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader
        title={user.name}
        above={[{ text: u.users, to: pathIn(realmId, "users") }]}
        beside={
          <>
            <UserState state={user.state} />
            <BlockedBadge userId={user.id} />
          </>
        }
        lead={user.state === "inactive" ? t.inactiveNote : user.email === user.name ? undefined : user.email}
      >
        <ResourceLinks resource="user" linked={user} />
        <Actions user={user} />
      </PageHeader>
      <DeletionNote user={user} />
      <BlockNote user={user} />
      <div className="two-sides">
        <div>
          <Profile user={user} />
          <SignInMethods user={user} />
          <UserOrgs user={user} />
          <Sessions user={user} />
          <TrustedDevices user={user} />
          <UserApps user={user} />
        </div>
        <div>
          <Timeline subject={{ user_id: user.id }} />
          <Mails user={user} />
        </div>
      </div>
    </>
  )
}
