import { type ReactNode, useState } from "react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { bulkTexts } from "./Texts.ts"

interface BulkConfirmProps {
  /** A question that names the number of items: "Delete 12 users?" */
  readonly title: string
  /** The label of the button: a verb. */
  readonly action: string
  /** The number of items, if the user must type it first. For very destructive actions. */
  readonly typed?: string
  readonly children: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation before an action on several items that can't be undone. */
export const BulkConfirm = ({ title, action, typed, children, onConfirm, onClose }: BulkConfirmProps) => {
  const t = useTexts(bulkTexts)
  const c = useTexts(common)
  const [text, setText] = useState("")
  const isReady = typed === undefined || text.replaceAll(/\D/g, "") === typed.replaceAll(/\D/g, "")
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady) return
          onConfirm()
          onClose()
        }}
      >
        <div>{children}</div>
        {typed === undefined ? null : (
          <div className="field">
            <label htmlFor="confirm-count">{t.typeCount(typed)}</label>
            <input
              id="confirm-count"
              inputMode="numeric"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        )}
        <footer className="form-footer">
          <Button kind="danger" type="submit" disabled={!isReady}>
            {action}
          </Button>
          <Button onClick={onClose}>{c.cancel}</Button>
        </footer>
      </form>
    </Dialog>
  )
}
