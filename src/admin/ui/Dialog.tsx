import { Dialog as AriaDialog, DialogDismiss, DialogHeading } from "@ariakit/react"
import { X } from "lucide-react"
import type { ReactNode } from "react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** Whether the dialog can't be dismissed. */
  readonly isPersistent?: boolean
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A modal dialog, which is open as long as it is rendered. */
export const Dialog = ({ title, onClose, isPersistent = false, isWide = false, children }: DialogProps) => {
  const t = useTexts(common)
  return (
    <AriaDialog
      open
      onClose={onClose}
      hideOnEscape={!isPersistent}
      hideOnInteractOutside={false}
      // Toasts remain accessible above the dialog, because they may offer to undo an action.
      getPersistentElements={() => document.querySelectorAll(".toasts")}
      backdrop={<div className="backdrop" />}
      className={isWide ? "dialog wide" : "dialog"}
    >
      <header className="dialog-header">
        <DialogHeading className="dialog-title">{title}</DialogHeading>
        {isPersistent ? null : (
          <DialogDismiss className="button quiet icon" aria-label={t.close}>
            <X aria-hidden />
          </DialogDismiss>
        )}
      </header>
      {children}
    </AriaDialog>
  )
}
