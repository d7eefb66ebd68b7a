import { useState } from "react"
import type { Clock } from "#client/generated/types/Clock"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { mailboxTexts } from "./Texts.ts"

/** The virtual clock of a service in test mode. */
export const ClockPage = () => {
  const t = useTexts(mailboxTexts)
  const toast = useToast()
  const { may } = useSession()
  const { data: clock, error } = useRead(["clock"], (sdk) => sdk.test.read())
  const draft = useDraft("advance", { advance: "1 hour" })
  const by = draft.values.advance
  const [last, setLast] = useState<Clock | undefined>()
  return (
    <>
      <PageHeader title={t.clock} lead={t.clockLead} />
      <ProblemNote error={error} />
      {clock === undefined ? null : (
        <Section title={t.now}>
          <p className="big-time">
            <Time at={Math.max(clock.now, last?.now ?? 0)} />
          </p>
          {may("admin_all_realms") ? (
            <Form
              draft={draft}
              write={(sdk) => sdk.test.advance({ advance: by })}
              submit={t.advanceNow}
              onDone={(next) => {
                setLast(next)
                toast({ text: t.advanced })
              }}
            >
              <div className="row">
                {t.steps.map(({ advance, text }) => (
                  <Button key={advance} small onClick={() => draft.set({ advance })}>
                    {text}
                  </Button>
                ))}
              </div>
              <TextField
                name="advance"
                label={t.advance}
                help={t.advanceHelp}
                value={by}
                onChange={(advance) => draft.set({ advance })}
              />
            </Form>
          ) : null}
        </Section>
      )}
      {last === undefined ? null : (
        <Section title={t.happened}>
          {last.events === undefined || last.events.length === 0 ? <p className="faint">{t.nothingHappened}</p> : null}
          <ul className="timeline">
            {last.events?.map((event) => (
              <li key={event.id}>
                <span />
                <code>{event.event_type}</code>
                <Time at={event.event_at} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
