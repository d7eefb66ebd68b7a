import { useState } from "react"
import type { Invitation } from "#client/generated/types/Invitation"
import { hostedLink } from "../calls/HostedLink.ts"
import { problemOf } from "../calls/Problems.ts"
import { useScope } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { copyText } from "../ui/Copy.tsx"
import { useMailNews } from "../ui/Mailbox.tsx"
import { useToast } from "../ui/Toast.tsx"
import { invitationsTexts } from "./Texts.ts"

/** Sends or deletes an invitation, or copies its link. */
export const InvitationActions = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTexts(invitationsTexts)
  const c = useTexts(common)
  const { sdk } = useScope()
  const act = useAct()
  const newsOf = useMailNews()
  const { may } = useSession()
  const toast = useToast()
  const [isDeleting, setDeleting] = useState(false)
  const { id, email, token, client_app_id, invited_at } = invitation
  if (!may("help")) return null
  const copyLink = async () => {
    if (token === null) return
    try {
      const link = await hostedLink(sdk, "invitation", token, client_app_id)
      await copyText(link ?? token)
      toast({ text: link === undefined ? t.tokenCopied : t.linkCopied })
    } catch (error) {
      toast({ text: problemOf(error, c).sentences.join(" ") })
    }
  }
  return (
    <>
      <ActionsMenu
        label={email}
        actions={[
          {
            text: invited_at === null ? t.send : t.resend,
            onClick: () =>
              void act({ write: (calls) => calls.invitations.invite(id), text: () => newsOf(t.invitation, email) })
          },
          ...(may("write")
            ? [
                { text: t.copyLink, disabled: token === null, onClick: () => void copyLink() },
                { text: t.delete, isDanger: true, onClick: () => setDeleting(true) }
              ]
            : [])
        ]}
      />
      {isDeleting ? (
        <Confirm
          title={t.deleteTitle(email)}
          action={t.delete}
          write={(calls) => calls.invitations.delete(id)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            toast({ text: t.deleted(email) })
            setDeleting(false)
          }}
        >
          {t.deleteText}
        </Confirm>
      ) : null}
    </>
  )
}
