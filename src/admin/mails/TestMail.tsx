import { useState } from "react"
import { useDraft } from "../calls/Draft.ts"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { MailboxNote, useMailNews } from "../ui/Mailbox.tsx"
import { useToast } from "../ui/Toast.tsx"
import { mailTexts } from "./Texts.ts"

/** Sends a test email to an address. */
export const TestMail = ({ hookId, onClose }: { readonly hookId: string; readonly onClose: () => void }) => {
  const t = useTexts(mailTexts)
  const toast = useToast()
  const newsOf = useMailNews()
  const draft = useDraft("test", { email_to: "" })
  const to = draft.values.email_to
  const [refusal, setRefusal] = useState<string | undefined>()
  return (
    <Dialog title={t.testTitle} onClose={onClose}>
      <p>{t.testText}</p>
      <Form
        draft={draft}
        submit={t.send}
        canSubmit={to.trim() !== ""}
        changes={[["test_messages"]]}
        write={(sdk) => sdk.hooks.ping(hookId, { hook: { email_to: to.trim() } })}
        onDone={({ state, result }) => {
          setRefusal(state === "completed" ? undefined : (result ?? ""))
          if (state !== "completed") return
          toast(newsOf(t.testMail, to.trim()))
          onClose()
        }}
        onCancel={onClose}
      >
        <TextField
          name="email_to"
          type="email"
          label={t.testTo}
          value={to}
          onChange={(email_to) => draft.set({ email_to })}
        />
        {refusal === undefined ? null : <p className="field-problem">{refusal}</p>}
        <MailboxNote />
      </Form>
    </Dialog>
  )
}
