import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { User } from "#client/generated/types/User"
import { useDraft } from "../calls/Draft.ts"
import { keyIn } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CopyButton } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { useToast } from "../ui/Toast.tsx"
import { signInTexts } from "./SignInTexts.ts"

/** Sets a user's password. */
export const PasswordDialog = ({
  user,
  title,
  onClose
}: {
  readonly user: User
  readonly title: string
  readonly onClose: () => void
}) => {
  const t = useTexts(signInTexts)
  const toast = useToast()
  const draft = useDraft("password", { password: "" })
  const { password } = draft.values
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="note">{t.passwordNote}</p>
      <Form
        draft={draft}
        write={(sdk) => sdk.users.update(user.id, { password })}
        submit={title}
        canSubmit={password !== ""}
        onCancel={onClose}
        onDone={() => {
          toast({ text: t.passwordSet(user.name) })
          onClose()
        }}
      >
        <TextField
          name="password"
          type="password"
          label={t.newPassword}
          help={t.newPasswordHelp}
          value={password}
          onChange={(text) => draft.set({ password: text })}
        />
      </Form>
    </Dialog>
  )
}

/** Renames a passkey or an authenticator app. */
export const RenameDialog = ({
  id,
  before,
  onClose
}: {
  readonly id: string
  readonly before: string
  readonly onClose: () => void
}) => {
  const t = useTexts(signInTexts)
  const c = useTexts(common)
  const draft = useDraft(`rename ${id}`, { name: before })
  const { name } = draft.values
  return (
    <Dialog title={t.rename} onClose={onClose}>
      <Form
        draft={draft}
        write={(sdk) => sdk.credentials.update(id, { name })}
        submit={c.save}
        canSubmit={name.trim() !== before}
        onCancel={onClose}
        onDone={onClose}
      >
        <TextField name="name" label={t.name} value={name} onChange={(text) => draft.set({ name: text })} />
      </Form>
    </Dialog>
  )
}

/** Creates recovery codes, which are shown once. */
export const CodesDialog = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts(signInTexts)
  const c = useTexts(common)
  const { realmId } = useScope()
  const reads = useQueryClient()
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  // The new codes are a new credential. Reading the list any earlier would close this dialog.
  const close = () => {
    onClose()
    void reads.invalidateQueries({ queryKey: keyIn(realmId, ["users"]) })
  }
  if (codes !== undefined)
    return (
      <Dialog title={t.codesTitle} isPersistent onClose={close}>
        <p className="note waiting">{t.codesOnce}</p>
        <ul className="codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <footer className="form-footer">
          <Button kind="primary" onClick={close}>
            {c.close}
          </Button>
          <CopyButton text={codes.join("\n")} label={t.copyAll} />
        </footer>
      </Dialog>
    )
  return (
    <Dialog title={t.newCodes} onClose={onClose}>
      <Form
        draft={null}
        write={(sdk) => sdk.credentials.create({ user_id: user.id, credential_type: "recovery_codes" })}
        submit={t.makeCodes}
        changes={[["events"]]}
        onCancel={onClose}
        onDone={(credential) => setCodes(credential.codes ?? [])}
      >
        <p>{t.newCodesText}</p>
      </Form>
    </Dialog>
  )
}
