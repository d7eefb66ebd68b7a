import type { SentMail } from "#client/generated/types/SentMail"
import type { User } from "#client/generated/types/User"
import { useRealmId } from "../calls/Scope.tsx"
import type { Write } from "../calls/Writes.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import type { MenuAction } from "../ui/ActionsMenu.tsx"
import { userTexts } from "./UserTexts.ts"

/** The actions that send emails with links to a user. */
export const useMailActions = (user: User): ReadonlyArray<MenuAction> => {
  const t = useTexts(userTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const act = useAct()
  const isActive = user.state === "active"

  const send = (write: Write<SentMail>, sent: (email: string) => string, stored: (email: string) => string) =>
    void act({
      write,
      text: ({ email, delivery }) => {
        if (delivery === "webhook") return { text: t.sentByWebhook(email) }
        if (delivery === "server") return { text: sent(email) }
        const to = `${pathIn(realmId, "mailbox")}?${new URLSearchParams({ to: email })}`
        return { text: stored(email), ...(may("admin_all_realms") ? { link: { text: t.openMailbox, to } } : {}) }
      }
    })

  return [
    {
      text: t.sendReset,
      disabled: !isActive,
      onClick: () => send((sdk) => sdk.logins.sendPasswordReset(user.id), t.resetSent, t.resetInMailbox)
    },
    {
      text: t.sendVerification,
      disabled: !isActive || (user.email_verification === "verified" && user.email_pending === null),
      onClick: () =>
        send((sdk) => sdk.logins.sendEmailVerification(user.id), t.verificationSent, t.verificationInMailbox)
    }
  ]
}
