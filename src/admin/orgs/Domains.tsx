import { useState } from "react"
import type { Domain } from "#client/generated/types/Domain"
import type { Org } from "#client/generated/types/Org"
import { LOST_AFTER_DAYS } from "#domain/DomainProof"
import { useDraft } from "../calls/Draft.ts"
import { problemOf } from "../calls/Problems.ts"
import { useList } from "../calls/Reads.ts"
import { useWrite } from "../calls/Writes.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Code } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Item, ItemList } from "../ui/Items.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { domainTexts } from "./DomainTexts.ts"

const DAY = 86_400

const tones = { pending: "waiting", verified: "good", lost: "bad" } as const

interface OfDomain {
  readonly domain: Domain
}

/** The TXT record that proves a domain, to copy. */
const DnsRecord = ({ domain }: OfDomain) => {
  const t = useTexts(domainTexts)
  const { name, value } = domain.txt
  return (
    <>
      <p>{t.recordLead(domain.domain)}</p>
      <Facts
        facts={[
          [t.type, <code key="type">TXT</code>],
          [t.name, <Code key="name" text={name} label={t.name} />],
          [t.value, <Code key="value" text={value} label={t.value} />]
        ]}
      />
    </>
  )
}

/** Looks up the record now, which can take some seconds. */
const CheckNow = ({ domain: { id, domain, state } }: OfDomain) => {
  const t = useTexts(domainTexts)
  const ofAll = useTexts(common)
  const toast = useToast()
  const missed = state === "verified" ? t.stillVerified(domain) : t.unverified(domain)
  const { mutate, isPending } = useWrite((sdk) => sdk.domains.verify(id), {
    onDone: ({ problem }) => toast({ text: problem === null ? t.verified(domain) : missed }),
    onProblem: (problem) => toast({ text: problemOf(problem, ofAll).sentences.join(" ") })
  })
  return (
    <Button small onClick={() => mutate()} pending={isPending}>
      {t.check}
      <span className="visually-hidden">: {domain}</span>
    </Button>
  )
}

const AddDomain = ({ org, onClose }: { readonly org: Org; readonly onClose: () => void }) => {
  const t = useTexts(domainTexts)
  const toast = useToast()
  const draft = useDraft("domain", { domain: "" })
  const { domain } = draft.values
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form
        draft={draft}
        write={(sdk) => sdk.domains.create({ org_id: org.id, domain })}
        submit={t.add}
        onDone={(created) => {
          toast({ text: t.added(created.domain) })
          onClose()
        }}
        onCancel={onClose}
      >
        <TextField
          name="domain"
          label={t.domain}
          help={t.domainHelp}
          value={domain}
          onChange={(text) => draft.set({ domain: text })}
        />
      </Form>
    </Dialog>
  )
}

const Actions = ({ domain }: OfDomain) => {
  const t = useTexts(domainTexts)
  const toast = useToast()
  const { may } = useSession()
  const [open, setOpen] = useState<"record" | "remove">()
  const close = () => setOpen(undefined)
  const remove = { text: t.remove, isDanger: true, onClick: () => setOpen("remove") }
  return (
    <>
      {may("admin_realm") ? <CheckNow domain={domain} /> : null}
      <ActionsMenu
        label={domain.domain}
        actions={[{ text: t.showRecord, onClick: () => setOpen("record") }, ...(may("admin_realm") ? [remove] : [])]}
      />
      {open === "record" ? (
        <Dialog title={t.recordTitle(domain.domain)} onClose={close}>
          <DnsRecord domain={domain} />
        </Dialog>
      ) : null}
      {open === "remove" ? (
        <Confirm
          title={t.removeTitle(domain.domain)}
          action={t.remove}
          write={(sdk) => sdk.domains.delete(domain.id)}
          onClose={close}
          onDone={() => {
            toast({ text: t.removed(domain.domain) })
            close()
          }}
        >
          {t.removeText}
        </Confirm>
      ) : null}
    </>
  )
}

/** A domain with its state, and with its record as long as it isn't verified. */
const DomainItem = ({ domain }: OfDomain) => {
  const t = useTexts(domainTexts)
  const { state, problem, checked_at: checkedAt, next_check_at: nextCheckAt, missed_since: missedSince } = domain
  return (
    <Item
      title={
        <>
          {domain.domain}
          <Badge tone={state === "verified" && problem !== null ? "waiting" : tones[state]}>{t.states[state]}</Badge>
        </>
      }
      detail={
        <div className="domain">
          {problem === null ? null : <p className="domain-problem">{problem.message}</p>}
          {state === "verified" && missedSince !== null ? (
            <p>
              {t.lostAt} <Time at={missedSince + LOST_AFTER_DAYS * DAY} />
            </p>
          ) : null}
          {state === "verified" ? null : <DnsRecord domain={domain} />}
          {checkedAt === null ? null : (
            <p>
              {t.lastCheck} <Time at={checkedAt} isRelative />
              {nextCheckAt === null ? null : (
                <>
                  {" · "}
                  {t.nextCheck} <Time at={nextCheckAt} isRelative />
                </>
              )}
            </p>
          )}
        </div>
      }
      actions={<Actions domain={domain} />}
    />
  )
}

/** The email domains of an org. */
export const Domains = ({ org }: { readonly org: Org }) => {
  const t = useTexts(domainTexts)
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const list = useList(["domains", "org", org.id], (sdk, page) => sdk.domains.list({ org_id: org.id, ...page }))
  return (
    <Section
      title={t.domains}
      lead={t.lead}
      actions={
        may("admin_realm") && org.state !== "closed" ? (
          <Button small onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        ) : undefined
      }
    >
      <ItemList label={t.domains} list={list} empty={t.none}>
        {(domain) => <DomainItem key={domain.id} domain={domain} />}
      </ItemList>
      {isAdding ? <AddDomain org={org} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}
