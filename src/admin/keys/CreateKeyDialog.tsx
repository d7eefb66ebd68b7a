import { useState } from "react"
import type { ApiKey } from "#client/generated/types/ApiKey"
import { type Level, levels } from "#domain/Level"
import { useDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { keyTexts } from "./Texts.ts"

interface NewKey {
  readonly name: string
  readonly level: Level
  readonly expires_at: string
}

/** Creates an API key and shows it once. `realmId`: the realm to bind it to, if any. */
export const CreateKeyDialog = ({
  realmId,
  onClose
}: {
  readonly realmId: string | undefined
  readonly onClose: () => void
}) => {
  const t = useTexts(keyTexts)
  const { may } = useSession()
  const draft = useDraft<NewKey>("new", { name: "", level: "read", expires_at: "" })
  const { name, level, expires_at: expires } = draft.values
  const [made, setMade] = useState<ApiKey | undefined>()
  // A key that is bound to a realm can't have the level for all realms.
  const offered = levels.filter((one) => may(one) && (one !== "admin_all_realms" || realmId === undefined))
  if (made?.key !== undefined) {
    return (
      <Dialog title={t.keyCreated(made.name)} onClose={onClose} isPersistent>
        <p>{t.shownOnce}</p>
        <CodeBlock text={made.key} label={t.name} />
        <footer className="form-footer">
          <Button kind="primary" onClick={onClose}>
            {t.done}
          </Button>
        </footer>
      </Dialog>
    )
  }
  const expiresAt = expires === "" ? null : Date.parse(expires) / 1000
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        draft={draft}
        write={(sdk) =>
          sdk.apiKeys.create({
            name,
            level,
            expires_at: expiresAt,
            ...(realmId === undefined ? { realm_id: null } : {})
          })
        }
        submit={t.create}
        onDone={setMade}
        onCancel={onClose}
      >
        <TextField
          name="name"
          label={t.name}
          help={t.nameHelp}
          value={name}
          onChange={(text) => draft.set({ name: text })}
        />
        <Select
          name="level"
          label={t.level}
          help={t.levelHelp}
          value={level}
          onChange={(chosen) => draft.set({ level: chosen })}
          options={offered.map((value) => ({ value, text: t.levels[value] }))}
        />
        <TextField
          name="expires_at"
          type="datetime-local"
          label={t.expires}
          help={t.expiresHelp}
          isOptional
          value={expires}
          onChange={(text) => draft.set({ expires_at: text })}
        />
      </Form>
    </Dialog>
  )
}
