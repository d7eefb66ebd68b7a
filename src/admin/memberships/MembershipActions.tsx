import { useState } from "react"
import type { Membership } from "#client/generated/types/Membership"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Button } from "../ui/Button.tsx"
import { EditMembershipDialog } from "./MembershipDialog.tsx"
import { membershipTexts } from "./Texts.ts"

interface MembershipActionsProps {
  readonly membership: Membership
  /** The names of the user and the org. */
  readonly user: string
  readonly org: string
}

/** Changes or removes a membership. A removal can be undone. */
export const MembershipActions = ({ membership, user, org }: MembershipActionsProps) => {
  const t = useTexts(membershipTexts)
  const c = useTexts(common)
  const { may } = useSession()
  const act = useAct()
  const [isEditing, setEditing] = useState(false)
  if (!may("write")) return null
  const { id, user_id, org_id, permissions, expires_at } = membership
  const remove = () =>
    act({
      write: (sdk) => sdk.memberships.delete(id),
      text: t.removed(user, org),
      changes: [["memberships"], ["events"], ["users"], ["orgs"]],
      ...(org_id === null
        ? {}
        : { undo: () => (sdk) => sdk.memberships.create({ user_id, org_id, permissions, expires_at }) })
    })
  return (
    <>
      <Button small onClick={() => setEditing(true)}>
        {c.edit}
      </Button>
      <Button small onClick={() => void remove()}>
        {t.remove}
      </Button>
      {isEditing ? (
        <EditMembershipDialog membership={membership} title={t.editOf(user, org)} onClose={() => setEditing(false)} />
      ) : null}
    </>
  )
}
