import type { HookItem } from "#client/generated/types/HookItem"
import { useList, useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { MailboxNote } from "../ui/Mailbox.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { eventName } from "./MailEvents.ts"
import { useMailTitle } from "./MailTitle.tsx"
import { mailTexts } from "./Texts.ts"

const example = (url: string, realmId: string) => `curl ${url}/v2/hooks \\
  -H "Authorization: Bearer $SALLYPORT_KEY" -H "Content-Type: application/json" \\
  -d '{"hook": {"realm_id": "${realmId}", "hook_type": "email", "event_type": ["user.created"],
                "email_subject": "Welcome", "email_template": "Hi {{first_name}}!"}}'`

/** An email's title. Lists don't include its subject, and one event may have several emails. */
const Name = ({ hook }: { readonly hook: HookItem }) => {
  const t = useTexts(mailTexts)
  const { data } = useRead(["hooks", hook.id], async (sdk) => await sdk.hooks.get(hook.id))
  const titleOf = useMailTitle()
  const event = eventName(t.eventNames, hook.event_type[0])
  if (data?.hook_type !== "email") return event
  return (
    <>
      {titleOf(data)}
      <span className="cell-detail">{event}</span>
    </>
  )
}

/** The email templates of a realm. */
export const MailsPage = () => {
  const t = useTexts(mailTexts)
  const realmId = useRealmId()
  const { may, session } = useSession()
  const list = useList<HookItem>(["hooks", "email"], (sdk, page) =>
    sdk.hooks.list({ ...page, realm_id: realmId, hook_type: "email" })
  )
  const create = may("admin_realm") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "mails", "new")}>
      {t.create}
    </ButtonLink>
  ) : undefined
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        {create}
      </PageHeader>
      <MailboxNote />
      <Listing
        label={t.title}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => pathIn(realmId, "mails", id)}
        columns={[
          { name: t.mail, cell: (hook) => <Name hook={hook} /> },
          { name: t.eventType, cell: ({ event_type }) => <code>{event_type[0]}</code> },
          {
            name: t.state,
            cell: ({ state }) => <Badge tone={state === "active" ? "good" : "plain"}>{t[state]}</Badge>
          }
        ]}
        empty={
          <Empty title={t.emptyTitle} example={example(session.service.api_url, realmId)} action={create}>
            {t.emptyText}
          </Empty>
        }
      />
    </>
  )
}
