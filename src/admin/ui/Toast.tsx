import { X } from "lucide-react"
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react"
import { Link } from "wouter"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"

/** A message in a corner of the page. */
export interface Toast {
  /** The message, such as "Ada Lovelace was deactivated". */
  readonly text: string
  /** Undoes the action, if possible. */
  readonly undo?: () => void
  /** A page with more about it. */
  readonly link?: { readonly text: string; readonly to: string }
  /** The usual next action. */
  readonly action?: { readonly text: string; readonly onClick: () => void }
}

interface Shown extends Toast {
  readonly number: number
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Shows messages in a corner of the page. */
export const useToast = () => useContext(ToastContext)

const SHOWN_MILLIS = 6_000
const SHOWN_WITH_ACTION_MILLIS = 15_000

const ToastCard = ({ toast, onClose }: { readonly toast: Shown; readonly onClose: () => void }) => {
  const t = useTexts(common)
  useEffect(() => {
    const timer = setTimeout(
      onClose,
      [toast.undo, toast.link, toast.action].every((one) => one === undefined) ? SHOWN_MILLIS : SHOWN_WITH_ACTION_MILLIS
    )
    return () => clearTimeout(timer)
  }, [onClose, toast])
  return (
    <div className="toast">
      <span>{toast.text}</span>
      {toast.link === undefined ? null : (
        <Link href={toast.link.to} onClick={onClose}>
          {toast.link.text}
        </Link>
      )}
      {toast.action === undefined ? null : (
        <button
          type="button"
          className="button small"
          onClick={() => {
            toast.action?.onClick()
            onClose()
          }}
        >
          {toast.action.text}
        </button>
      )}
      {toast.undo === undefined ? null : (
        <button
          type="button"
          className="button small"
          onClick={() => {
            toast.undo?.()
            onClose()
          }}
        >
          {t.undo}
        </button>
      )}
      <button type="button" className="button quiet icon small" aria-label={t.close} onClick={onClose}>
        <X aria-hidden />
      </button>
    </div>
  )
}

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [shown, setShown] = useState<ReadonlyArray<Shown>>([])
  const tell = useCallback((toast: Toast) => {
    setShown((before) => [...before.slice(-2), { ...toast, number: (before.at(-1)?.number ?? 0) + 1 }])
  }, [])
  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map((toast) => (
          <ToastCard
            key={toast.number}
            toast={toast}
            onClose={() => setShown((before) => before.filter(({ number }) => number !== toast.number))}
          />
        ))}
      </div>
    </ToastContext>
  )
}
