import { useState } from "react"
import { useRealmId, useScope } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { download } from "../ui/Download.ts"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { usersTexts } from "./Texts.ts"

/** The number of users exported between progress updates. */
const STEP = 500

/** Downloads all users of the realm as a file. */
export const ExportUsers = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts(usersTexts)
  const c = useTexts(common)
  const { language } = useLanguage()
  const { sdk } = useScope()
  const realmId = useRealmId()
  const { may } = useSession()
  const toast = useToast()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>(null)
  const numeral = (number: number) => number.toLocaleString(language)

  const run = async () => {
    setError(null)
    setCount(0)
    try {
      const lines: Array<string> = []
      for await (const line of sdk.exports.export().lines()) {
        lines.push(`${JSON.stringify(line)}\n`)
        if (lines.length % STEP === 0) setCount(lines.length)
      }
      download(`users-${realmId}.ndjson`, "application/x-ndjson", lines)
      // The first and last lines are markers.
      toast({ text: t.exported(numeral(lines.length - 2)) })
      onClose()
    } catch (problem) {
      setError(problem)
      setCount(undefined)
    }
  }
  return (
    <Dialog title={t.exportTitle} onClose={onClose}>
      <p>{t.exportText}</p>
      <p className={may("admin_all_realms") ? "note waiting" : "note"}>
        {may("admin_all_realms") ? t.exportSecrets : t.exportNoSecrets}
      </p>
      <ProblemNote error={error} />
      <footer className="form-footer">
        <Button kind="primary" onClick={() => void run()} pending={count !== undefined}>
          {t.download}
        </Button>
        <Button onClick={onClose}>{c.cancel}</Button>
        {count === undefined ? null : (
          <span className="faint" role="status">
            {t.exporting(numeral(count))}
          </span>
        )}
      </footer>
    </Dialog>
  )
}
