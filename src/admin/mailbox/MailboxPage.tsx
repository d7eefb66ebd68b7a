import { useState } from "react"
import { useSearchParams } from "wouter"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { mailboxTexts } from "./Texts.ts"

/** The polling interval, in milliseconds. */
const REFRESH = 3_000

/** The emails captured by a service without a mail server. */
export const MailboxPage = () => {
  const t = useTexts(mailboxTexts)
  const toast = useToast()
  const realmId = useRealmId()
  const { may } = useSession()
  const [search, setSearch] = useSearchParams()
  const [isClearing, setClearing] = useState(false)
  const to = search.get("to") ?? ""
  const list = useList(
    ["messages", to],
    (sdk, page) => sdk.testMessages.list({ ...page, ...(to === "" ? {} : { to }) }),
    { every: REFRESH }
  )
  return (
    <>
      <PageHeader title={t.mailbox} lead={t.lead}>
        {may("write") ? <Button onClick={() => setClearing(true)}>{t.clear}</Button> : null}
      </PageHeader>
      <div className="filters">
        <SearchField
          label={t.recipient}
          placeholder="ada@example.com"
          value={to}
          onSearch={(text) => setSearch(text === "" ? {} : { to: text })}
        />
      </div>
      <Listing
        label={t.mailbox}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "mailbox", id)}
        columns={[
          { name: t.subject, cell: ({ subject }) => subject },
          { name: t.to, cell: (mail) => mail.to },
          { name: t.time, cell: (mail) => <Time at={mail.created_at} isRelative /> }
        ]}
        empty={
          <Empty title={t.emptyTitle}>
            <p>{t.emptyText}</p>
          </Empty>
        }
      />
      {isClearing ? (
        <Confirm
          title={t.clearTitle}
          action={t.clear}
          write={(sdk) => sdk.testMessages.clear({ realm_id: realmId })}
          changes={[["messages"]]}
          onClose={() => setClearing(false)}
          onDone={() => {
            toast({ text: t.cleared })
            setClearing(false)
          }}
        >
          <p>{t.clearText}</p>
        </Confirm>
      ) : null}
    </>
  )
}
