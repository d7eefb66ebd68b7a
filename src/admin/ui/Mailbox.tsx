import { Link } from "wouter"
import { useRealmId } from "../calls/Scope.tsx"
import type { MailText } from "../session/MailText.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { catalogue, useTexts } from "../texts/Language.tsx"
import type { Toast } from "./Toast.tsx"

const mailboxTexts = catalogue({
  en: {
    open: "Open mailbox",
    note: "This service doesn’t send emails. It keeps them in its mailbox."
  },
  es: {
    open: "Abrir el buzón",
    note: "Este servicio no envía correos. Los guarda en su buzón."
  }
})

/** Returns the link to the emails kept for an address, or undefined if there are none to see. */
const useMailboxLink = () => {
  const t = useTexts(mailboxTexts)
  const realmId = useRealmId()
  const { session, may } = useSession()
  const isVisible = session.service.mailbox && may("admin_all_realms")
  return (email?: string) => {
    const query = email === undefined ? "" : `?${new URLSearchParams({ to: email })}`
    return isVisible ? { text: t.open, to: `${pathIn(realmId, "mailbox")}${query}` } : undefined
  }
}

/** Returns the news that an email to an address was sent, or that it is in the mailbox, with a link to it. */
export const useMailNews = () => {
  const { session } = useSession()
  const linkTo = useMailboxLink()
  return (text: MailText<(email: string) => string>, email: string): Pick<Toast, "text" | "link"> => {
    if (!session.service.mailbox) return { text: text.sent(email) }
    const link = linkTo(email)
    return { text: text.kept(email), ...(link === undefined ? {} : { link }) }
  }
}

/** A link to the emails kept for an address. Renders nothing if the service sends emails. */
export const MailboxLink = ({ email }: { readonly email?: string | undefined }) => {
  const link = useMailboxLink()(email)
  return link === undefined ? null : <Link href={link.to}>{link.text}</Link>
}

/** A note that emails don't leave the service. Renders nothing if they do. */
export const MailboxNote = () => {
  const t = useTexts(mailboxTexts)
  const { session } = useSession()
  if (!session.service.mailbox) return null
  return (
    <p className="note">
      {t.note} <MailboxLink />
    </p>
  )
}
