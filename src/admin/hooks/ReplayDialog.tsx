import { useState } from "react"
import { useDraft } from "../calls/Draft.ts"
import { useWrite } from "../calls/Writes.ts"
import { browserTime } from "../texts/BrowserTime.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { hookTexts } from "./Texts.ts"

const whiches = ["failed", "undelivered", "all"] as const

const HOUR = 3_600_000

/** A time in the format of a datetime-local input. */
const local = (millis: number): string => {
  const date = new Date(millis)
  return new Date(millis - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const seconds = (text: string): number => Date.parse(text) / 1000

interface Range {
  readonly since: string
  readonly until: string
  readonly state: (typeof whiches)[number]
}

/** Resends the deliveries of a time range. */
export const ReplayDialog = ({ hookId, onClose }: { readonly hookId: string; readonly onClose: () => void }) => {
  const t = useTexts(hookTexts)
  const toast = useToast()
  const [initial] = useState<Range>(() => ({ since: local(browserTime() - 24 * HOUR), until: "", state: "failed" }))
  const draft = useDraft("replay", initial)
  const { since, until, state } = draft.values
  const range = { since: seconds(since), until: until === "" ? null : seconds(until), state }
  const count = useWrite((sdk) => sdk.hooks.replay(hookId, { ...range, dry_run: true }), { changes: [] })
  const isWhole = !Number.isNaN(range.since)
  return (
    <Dialog title={t.replayTitle} onClose={onClose}>
      <p className="faint">{t.replayLead}</p>
      <Form
        draft={draft}
        write={(sdk) => sdk.hooks.replay(hookId, range)}
        submit={t.replayNow}
        canSubmit={isWhole}
        onCancel={onClose}
        onDone={({ notifications }) => {
          toast({ text: t.replayed(notifications) })
          onClose()
        }}
      >
        <div className="form-row">
          <TextField
            name="since"
            type="datetime-local"
            label={t.since}
            value={since}
            onChange={(text) => draft.set({ since: text })}
          />
          <TextField
            name="until"
            type="datetime-local"
            label={t.until}
            help={t.untilHelp}
            value={until}
            onChange={(text) => draft.set({ until: text })}
          />
        </div>
        <Select
          name="state"
          label={t.which}
          value={state}
          onChange={(which) => draft.set({ state: which })}
          options={whiches.map((value) => ({ value, text: t.selections[value] }))}
        />
        <div className="row">
          <Button small onClick={() => count.mutate()} pending={count.isPending} disabled={!isWhole}>
            {t.count}
          </Button>
          <span role="status">{count.data === undefined ? null : t.wouldReplay(count.data.notifications)}</span>
        </div>
        <ProblemNote error={count.error} />
      </Form>
    </Dialog>
  )
}
