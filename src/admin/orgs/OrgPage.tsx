import { useState } from "react"
import { useLocation } from "wouter"
import type { Org } from "#client/generated/types/Org"
import { isMissing } from "../calls/Problems.ts"
import { useList, useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { InvitationItem } from "../invitations/InvitationItem.tsx"
import { ResourceLinks } from "../memberships/ResourceLinks.tsx"
import { useSession } from "../session/SessionState.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Timeline } from "../timeline/Timeline.tsx"
import { useAct } from "../ui/Act.ts"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { ItemList } from "../ui/Items.tsx"
import { Loading } from "../ui/Loading.tsx"
import { usePageActions } from "../ui/PageActions.ts"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { Domains } from "./Domains.tsx"
import { Members } from "./Members.tsx"
import { OrgSettings } from "./OrgSettings.tsx"
import { OrgState } from "./OrgState.tsx"
import { orgsTexts } from "./Texts.ts"

/** The number up to which members are counted before an org is deleted. */
const MAX_COUNTED_MEMBERS = 1000

const DeleteOrg = ({ org, onClose }: { readonly org: Org; readonly onClose: () => void }) => {
  const t = useTexts(orgsTexts)
  const { language } = useLanguage()
  const realmId = useRealmId()
  const toast = useToast()
  const [, navigate] = useLocation()
  const members = useRead(
    ["memberships", "count", org.id],
    async (sdk) => (await sdk.memberships.list({ org_id: org.id, max_results: MAX_COUNTED_MEMBERS })).items.length
  )
  const count = members.data ?? 0
  return (
    <Confirm
      title={t.deleteTitle(org.name)}
      action={t.delete}
      typed={org.name}
      write={(sdk) => sdk.orgs.delete(org.id, { force: true })}
      changes={[["orgs", ""], ["memberships"]]}
      onClose={onClose}
      onDone={() => {
        toast({ text: t.deleted(org.name) })
        navigate(pathIn(realmId, "orgs"))
      }}
    >
      {t.deleteText} {count > 1 ? t.deleteManyText(count.toLocaleString(language)) : ""}
    </Confirm>
  )
}

/** The actions for the whole org. */
const Actions = ({ org }: { readonly org: Org }) => {
  const t = useTexts(orgsTexts)
  const { may } = useSession()
  const act = useAct()
  const toast = useToast()
  const [confirming, setConfirming] = useState<"close" | "delete">()
  const { id, name, state } = org
  const close = () => setConfirming(undefined)
  const set = (next: "active" | "inactive") =>
    act({
      write: (sdk) => sdk.orgs.update(id, { state: next }),
      text: next === "active" ? t.activated(name) : t.deactivated(name),
      undo: () => (sdk) => sdk.orgs.update(id, { state })
    })
  const toggle = {
    text: state === "active" ? t.deactivate : t.activate,
    onClick: () => void set(state === "active" ? "inactive" : "active")
  }
  const actions = [
    { text: t.close, disabled: state === "closed", onClick: () => setConfirming("close") },
    { text: t.delete, isDanger: true, onClick: () => setConfirming("delete") }
  ]
  usePageActions(name, may("write") ? [...(state === "closed" ? [] : [toggle]), ...actions] : [])
  if (!may("write")) return null
  return (
    <>
      {state === "closed" ? null : <Button onClick={toggle.onClick}>{toggle.text}</Button>}
      <ActionsMenu label={name} actions={actions} />
      {confirming === "close" ? (
        <Confirm
          title={t.closeTitle(name)}
          action={t.close}
          typed={name}
          write={(sdk) => sdk.orgs.delete(id)}
          onClose={close}
          onDone={() => {
            toast({ text: t.closed(name) })
            close()
          }}
        >
          {t.closeText}
        </Confirm>
      ) : null}
      {confirming === "delete" ? <DeleteOrg org={org} onClose={close} /> : null}
    </>
  )
}

const OpenInvitations = ({ org }: { readonly org: Org }) => {
  const t = useTexts(orgsTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const list = useList(["invitations", "org", org.id], (sdk, page) =>
    sdk.invitations.list({ org_id: org.id, invitation_type: "org", direction: "desc", ...page })
  )
  return (
    <Section
      title={t.invitations}
      actions={
        may("write") && org.state === "active" ? (
          <ButtonLink small to={`${pathIn(realmId, "invitations", "new")}?org=${encodeURIComponent(org.id)}`}>
            {t.invite}
          </ButtonLink>
        ) : undefined
      }
    >
      <ItemList label={t.invitations} list={list} empty={t.noInvitations}>
        {(invitation) => <InvitationItem key={invitation.id} invitation={invitation} />}
      </ItemList>
    </Section>
  )
}

/** An org with its members, invitations and activity. */
export const OrgPage = ({ orgId = "" }: { readonly orgId?: string }) => {
  const t = useTexts(orgsTexts)
  const realmId = useRealmId()
  const { data: org, error, refetch } = useRead(["orgs", orgId], (sdk) => sdk.orgs.get(orgId))
  if (isMissing(error)) return <MissingPage />
  if (org === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  const notes = { active: undefined, inactive: t.inactiveNote, closed: t.closedNote }
  return (
    <>
      <PageHeader
        title={org.name}
        above={[{ text: t.orgs, to: pathIn(realmId, "orgs") }]}
        beside={<OrgState state={org.state} />}
        lead={notes[org.state]}
      >
        <ResourceLinks resource="org" linked={org} />
        <Actions org={org} />
      </PageHeader>
      <div className="two-sides">
        <div>
          <Members org={org} />
          <OpenInvitations org={org} />
          <Domains org={org} />
          <OrgSettings org={org} />
        </div>
        <div>
          <Timeline subject={{ org_id: org.id }} />
        </div>
      </div>
    </>
  )
}
