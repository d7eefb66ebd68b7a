import { useState } from "react"
import { signOut } from "../calls/ConsoleSession.ts"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { leavingFreely } from "../history/UnsavedChanges.ts"
import { useSession } from "../session/SessionState.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { rememberSetup } from "./FirstOwner.tsx"
import { teamTexts } from "./Texts.ts"

/** Ends the key's session and opens the page of an invitation, because the account replaces the key in this browser. */
const openInvitation = async (url: string, language: string): Promise<void> => {
  await signOut("this", language)
  rememberSetup()
  leavingFreely(() => window.location.assign(url))
}

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
        submit={t.startNext}
        onDone={({ url = "" }) => void openInvitation(url, language)}
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

/** Offers the first owner an account, if a root key is logged in and nobody has finished setting up an account yet. */
export const CreateAccount = () => {
  const t = useTexts(teamTexts)
  const { language } = useLanguage()
  const act = useAct()
  const { session, may } = useSession()
  const [isOpen, setOpen] = useState(false)
  const enabled = session.operator === null && may("admin_all_realms")
  const { data } = useRead(["operators", "first"], async (sdk) => await sdk.operators.list({ max_results: 100 }), {
    enabled
  })
  if (!enabled || data === undefined || data.items.some(({ state }) => state === "active")) return null
  const begun = data.items.find(({ role }) => role === "owner")
  return (
    <div className="note restored">
      <div>
        <strong>{begun === undefined ? t.startTitle : t.finishTitle(begun.email)}</strong>
        <p>{t.startText}</p>
      </div>
      {begun === undefined ? (
        <Button kind="primary" onClick={() => setOpen(true)}>
          {t.start}
        </Button>
      ) : (
        <Button
          kind="primary"
          onClick={() =>
            void act({
              write: async (sdk) => {
                const { url = "" } = await sdk.operators.invite(begun.id, { send_email: false })
                await openInvitation(url, language)
              },
              text: t.linkTitle
            })
          }
        >
          {t.finish}
        </Button>
      )}
      {isOpen ? <CreateAccountDialog onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
