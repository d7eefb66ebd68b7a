import { Link } from "wouter"
import type { User } from "#client/generated/types/User"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Item, ItemList } from "../ui/Items.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { userTexts } from "./UserTexts.ts"

/** The emails to a user that a service in test mode has captured. */
export const Mails = ({ user: { email } }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const realmId = useRealmId()
  const { session, may } = useSession()
  const enabled = email !== null && session.service.mailbox && may("admin_all_realms")
  const list = useList(
    ["messages", email ?? ""],
    (sdk, page) => sdk.testMessages.list({ to: email ?? "", realm_id: realmId, ...page }),
    { enabled }
  )
  if (!enabled) return null
  return (
    <Section title={t.mailbox} lead={t.mailboxLead}>
      <ItemList label={t.mailbox} list={list} empty={t.noMails}>
        {({ id, subject, created_at }) => (
          <Item
            key={id}
            title={<Link href={pathIn(realmId, "mailbox", id)}>{subject}</Link>}
            detail={<Time at={created_at} isRelative />}
          />
        )}
      </ItemList>
    </Section>
  )
}
