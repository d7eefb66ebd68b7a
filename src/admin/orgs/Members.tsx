import { useState } from "react"
import { Link } from "wouter"
import type { Membership } from "#client/generated/types/Membership"
import type { Org } from "#client/generated/types/Org"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { MembershipActions } from "../memberships/MembershipActions.tsx"
import { NewMembershipDialog } from "../memberships/MembershipDialog.tsx"
import { Permissions } from "../memberships/Permissions.tsx"
import { membershipTexts } from "../memberships/Texts.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Item, ItemList } from "../ui/Items.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { orgsTexts } from "./Texts.ts"

const Member = ({ org, membership }: { readonly org: Org; readonly membership: Membership }) => {
  const m = useTexts(membershipTexts)
  const realmId = useRealmId()
  const { user_id, user, permissions, expires_at } = membership
  const name = user?.name ?? user_id
  return (
    <Item
      title={<Link href={pathIn(realmId, "users", user_id)}>{name}</Link>}
      detail={
        <>
          <span>{user?.email}</span>
          {expires_at === null ? null : (
            <span>
              {m.until} <Time at={expires_at} />
            </span>
          )}
          <Permissions permissions={permissions} />
        </>
      }
      actions={
        org.state === "closed" ? undefined : <MembershipActions membership={membership} user={name} org={org.name} />
      }
    />
  )
}

/** The members of an org, page by page. */
export const Members = ({ org }: { readonly org: Org }) => {
  const t = useTexts(orgsTexts)
  const m = useTexts(membershipTexts)
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const list = useList(["memberships", "in", org.id], (sdk, page) => sdk.memberships.list({ org_id: org.id, ...page }))
  return (
    <Section
      title={t.members}
      lead={t.membersLead}
      actions={
        may("write") && org.state !== "closed" ? (
          <Button small onClick={() => setAdding(true)}>
            {m.addMember}
          </Button>
        ) : undefined
      }
    >
      <ItemList label={t.members} list={list} empty={t.noMembers}>
        {(membership) => <Member key={membership.id} org={org} membership={membership} />}
      </ItemList>
      {isAdding ? <NewMembershipDialog org={{ id: org.id, text: org.name }} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}
