import { useState } from "react"
import { Link } from "wouter"
import type { User } from "#client/generated/types/User"
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
import { userTexts } from "./UserTexts.ts"

/** The orgs of a user. */
export const UserOrgs = ({ user }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const m = useTexts(membershipTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const list = useList(["memberships", "of", user.id], (sdk, page) =>
    sdk.memberships.list({ user_id: user.id, ...page })
  )
  return (
    <Section
      title={t.orgs}
      lead={t.orgsLead}
      actions={
        may("write") ? (
          <Button small onClick={() => setAdding(true)}>
            {m.addOrg}
          </Button>
        ) : undefined
      }
    >
      <ItemList label={t.orgs} list={list} empty={t.noOrgs}>
        {(membership) => {
          const name = membership.org?.name ?? t.withoutOrg
          return (
            <Item
              key={membership.id}
              title={
                membership.org_id === null ? (
                  name
                ) : (
                  <Link href={pathIn(realmId, "orgs", membership.org_id)}>{name}</Link>
                )
              }
              detail={
                <>
                  <Permissions permissions={membership.permissions} />
                  {membership.expires_at === null ? null : (
                    <span>
                      {m.until} <Time at={membership.expires_at} />
                    </span>
                  )}
                </>
              }
              actions={<MembershipActions membership={membership} user={user.name} org={name} />}
            />
          )
        }}
      </ItemList>
      {isAdding ? (
        <NewMembershipDialog user={{ id: user.id, text: user.name }} onClose={() => setAdding(false)} />
      ) : null}
    </Section>
  )
}
