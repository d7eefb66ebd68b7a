import { useState } from "react"
import type { Operator } from "#client/generated/types/Operator"
import { useRead } from "../calls/Reads.ts"
import { consolePath } from "../calls/ServiceUrls.ts"
import { useTexts } from "../texts/Language.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Switch } from "../ui/Fields.tsx"
import { Loading } from "../ui/Loading.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { teamTexts } from "./Texts.ts"

/** The number of keys whose names are shown. */
const MAX_NAMES = 5

/** The maximum number of keys that are counted. */
const MAX_KEYS = 1_000

interface RemoveDialogProps {
  readonly operator: Operator
  readonly isSelf: boolean
  readonly onClose: () => void
}

/** Removes an operator, after showing which API keys that they created still work. */
export const RemoveDialog = ({ operator: { id, email }, isSelf, onClose }: RemoveDialogProps) => {
  const t = useTexts(teamTexts)
  const toast = useToast()
  const [deletesKeys, setDeletesKeys] = useState(false)
  const { data, error } = useRead(
    ["operators", id, "api_keys"],
    async (sdk) => await sdk.operators.listCreatedKeys(id, { max_results: MAX_KEYS })
  )
  const keys = data?.items ?? []
  const names = keys.slice(0, MAX_NAMES).map(({ name }) => name)
  return (
    <Confirm
      title={t.removeTitle(email)}
      action={t.remove}
      write={(sdk) => sdk.operators.delete(id, deletesKeys ? { delete_api_keys: true } : {})}
      onClose={onClose}
      onDone={() => {
        if (isSelf) return window.location.assign(consolePath)
        toast({ text: deletesKeys ? t.removedWithKeys(email, keys.length) : t.removed(email) })
        onClose()
      }}
    >
      <p>{t.removeText}</p>
      {isSelf ? <p className="note waiting">{t.removeSelf}</p> : null}
      <ProblemNote error={error} />
      {data === undefined && error === null ? <Loading /> : null}
      {keys.length === 0 ? null : (
        <>
          <p className="note waiting">{t.removeKeys(keys.length, names, keys.length - names.length)}</p>
          <Switch
            name="delete_api_keys"
            label={t.deleteKeys(keys.length)}
            help={t.deleteKeysHelp}
            value={deletesKeys}
            onChange={setDeletesKeys}
          />
        </>
      )}
    </Confirm>
  )
}
