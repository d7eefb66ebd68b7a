import type { SentMail } from "#client/generated/types/SentMail"
import type { User } from "#client/generated/types/User"
import type { Write } from "../calls/Writes.ts"
import type { MailText } from "../session/MailText.ts"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import type { MenuAction } from "../ui/ActionsMenu.tsx"
import { useMailNews } from "../ui/Mailbox.tsx"
import { userTexts } from "./UserTexts.ts"

/** The actions that send emails with links to a user. */
export const useMailActions = (user: User): ReadonlyArray<MenuAction> => {
  const t = useTexts(userTexts)
  const newsOf = useMailNews()
  const act = useAct()
  const isActive = user.state === "active"

  const send = (write: Write<SentMail>, text: MailText<(email: string) => string>) =>
    void act({
      write,
      text: ({ email, delivery }) => (delivery === "webhook" ? { text: t.sentByWebhook(email) } : newsOf(text, email))
    })

  return [
    {
      text: t.sendReset,
      disabled: !isActive,
      onClick: () => send((sdk) => sdk.logins.sendPasswordReset(user.id), t.resetMail)
    },
    {
      text: t.sendVerification,
      disabled: !isActive || (user.email_verification === "verified" && user.email_pending === null),
      onClick: () => send((sdk) => sdk.logins.sendEmailVerification(user.id), t.verificationMail)
    }
  ]
}
