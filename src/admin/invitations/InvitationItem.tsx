import type { Invitation } from "#client/generated/types/Invitation"
import { Permissions } from "../memberships/Permissions.tsx"
import { useMailText } from "../session/MailText.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Item } from "../ui/Items.tsx"
import { Time } from "../ui/Time.tsx"
import { InvitationActions } from "./InvitationActions.tsx"
import { invitationsTexts } from "./Texts.ts"

/** Whether an invitation was sent, as a badge. */
export const InvitationState = ({ invited_at }: Pick<Invitation, "invited_at">) => {
  const t = useTexts(invitationsTexts)
  const ofMail = useMailText()
  return (
    <Badge tone={invited_at === null ? "waiting" : "good"}>{invited_at === null ? t.pending : ofMail(t.invited)}</Badge>
  )
}

/** An invitation in a section's list. */
export const InvitationItem = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTexts(invitationsTexts)
  const { email, invited_at, expires_at, permissions } = invitation
  return (
    <Item
      title={
        <>
          {email}
          <InvitationState invited_at={invited_at} />
        </>
      }
      detail={
        <>
          <span>
            {t.until} <Time at={expires_at} />
          </span>
          <Permissions permissions={permissions} />
        </>
      }
      actions={<InvitationActions invitation={invitation} />}
    />
  )
}
