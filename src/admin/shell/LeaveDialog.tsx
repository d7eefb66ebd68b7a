import { answerLeaving, useIsAskedToLeave } from "../history/UnsavedChanges.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"

/** Asks before unsaved changes are discarded. */
export const LeaveDialog = () => {
  const t = useTexts(common)
  if (!useIsAskedToLeave()) return null
  return (
    <Dialog title={t.leaveTitle} onClose={() => answerLeaving(false)}>
      <p>{t.leaveText}</p>
      <footer className="form-footer">
        <Button kind="primary" onClick={() => answerLeaving(false)}>
          {t.keepEditing}
        </Button>
        <Button kind="danger" onClick={() => answerLeaving(true)}>
          {t.discardChanges}
        </Button>
      </footer>
    </Dialog>
  )
}
