import { type RefObject, useEffect } from "react"

/** Returns whether a form handles the key: the focused form with changes, or any if the focus is in none of them. */
const isMeant = (form: HTMLFormElement): boolean => {
  const dialog = [...document.querySelectorAll("[role=dialog]")].find((one) => one.contains(document.activeElement))
  if (dialog !== undefined && !dialog.contains(form)) return false
  const focused = document.activeElement?.closest("form[data-unsaved]") ?? null
  return focused === null || focused === form
}

/** Makes Ctrl+S and Cmd+S submit a form with unsaved changes. The browser's own dialog for saving the page doesn't open. */
export const useSaveKey = (form: RefObject<HTMLFormElement | null>, isDirty: boolean, canSubmit: boolean): void =>
  useEffect(() => {
    if (!isDirty) return
    const listen = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "s"
      if (!isSave || form.current === null || !isMeant(form.current)) return
      event.preventDefault()
      if (canSubmit) form.current.requestSubmit()
    }
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [form, isDirty, canSubmit])
