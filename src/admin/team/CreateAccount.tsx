import { useState } from "react"
import { signOut } from "../calls/ConsoleSession.ts"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { leavingFreely } from "../history/UnsavedChanges.ts"
import { useSession } from "../session/SessionState.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { teamTexts } from "./Texts.ts"

const CreateAccountDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts(teamTexts)
  const { language } = useLanguage()
  const draft = useDraft("first-owner", { email: "" })
  const { email } = draft.values
  return (
    <Dialog title={t.startTitle} onClose={onClose}>
      <Form
        draft={draft}
        write={(sdk) => sdk.operators.create({ email, role: "owner", locale: language, send_email: false })}
        submit={t.start}
        // The account replaces the key in this browser.
        onDone={({ url = "" }) =>
          void signOut("this", language).then(() => leavingFreely(() => window.location.assign(url)))
        }
        onCancel={onClose}
      >
        <TextField
          name="email"
          label={t.email}
          type="email"
          help={t.startHelp}
          value={email}
          onChange={(text) => draft.set({ email: text })}
        />
      </Form>
    </Dialog>
  )
}

/** Offers the first owner an account, if a root key is logged in and nobody has an account yet. */
export const CreateAccount = () => {
  const t = useTexts(teamTexts)
  const { session, may } = useSession()
  const [isOpen, setOpen] = useState(false)
  const enabled = session.operator === null && may("admin_all_realms")
  const { data } = useRead(["operators", "first"], async (sdk) => await sdk.operators.list({ max_results: 1 }), {
    enabled
  })
  if (!enabled || data === undefined || data.items.length > 0) return null
  return (
    <div className="note restored">
      <div>
        <strong>{t.startTitle}</strong>
        <p>{t.startText}</p>
      </div>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {t.start}
      </Button>
      {isOpen ? <CreateAccountDialog onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
