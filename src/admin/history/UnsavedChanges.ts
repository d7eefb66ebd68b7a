import { useSyncExternalStore } from "react"

/** A form with unsaved changes. */
export interface UnsavedForm {
  /** Resets the form and deletes its stored draft. */
  readonly discard: () => void
}

/** A pending question whether to discard unsaved changes. */
interface Question {
  readonly forms: ReadonlySet<UnsavedForm>
  readonly leave: () => void
}

const unsaved = new Set<UnsavedForm>()
const running = new Set<object>()
const listeners = new Set<() => void>()
let question: Question | undefined
let isAsking = true

const ask = (next: Question | undefined) => {
  question = next
  for (const listener of listeners) listener()
}

/** Registers a form with unsaved changes. Returns the function that removes it. */
export const guardUnsaved = (form: UnsavedForm): (() => void) => {
  unsaved.add(form)
  return () => void unsaved.delete(form)
}

/** Lets the browser ask before it closes the tab, which would stop an action. Returns the function that ends this. */
export const guardTab = (): (() => void) => {
  const action = {}
  running.add(action)
  return () => void running.delete(action)
}

/** Whether there are unsaved changes anywhere on the page. */
export const hasUnsaved = (): boolean => unsaved.size > 0

const discard = (forms: Iterable<UnsavedForm>) => {
  for (const form of forms) {
    unsaved.delete(form)
    form.discard()
  }
}

/** Calls `leave` at once if nothing is unsaved, or else after the user agreed to discard the changes. */
export const leaveIfAgreed = (leave: () => void, forms: ReadonlySet<UnsavedForm> = new Set(unsaved)): void => {
  if (forms.size > 0 && isAsking) return ask({ forms, leave })
  discard(forms)
  leave()
}

/** Lets `run` leave the page without asking, because the page's resource no longer exists. */
export const leavingFreely = (run: () => void): void => {
  isAsking = false
  run()
  isAsking = true
}

/** Answers the pending question. */
export const answerLeaving = (isAgreed: boolean): void => {
  const asked = question
  ask(undefined)
  if (!isAgreed || asked === undefined) return
  discard(asked.forms)
  asked.leave()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the user is being asked to discard unsaved changes. */
export const useIsAskedToLeave = (): boolean => useSyncExternalStore(subscribe, () => question !== undefined)

// Closing the tab, reloading and following links to other sites.
window.addEventListener("beforeunload", (event) => {
  if (hasUnsaved() || running.size > 0) event.preventDefault()
})
