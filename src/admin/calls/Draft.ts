import { useState } from "react"
import { changesIn, isChanged } from "./Changes.ts"
import { draftName, hasDraft, storeDraft, storedDraft } from "./StoredDrafts.ts"

/** What a form needs to know about its values. Only `useDraft` makes it. */
export interface FormDraft {
  readonly values: object
  /** The values that differ from the saved ones. */
  readonly changes: object
  readonly isDirty: boolean
  /** Whether the changes were typed before a reload, and whether someone else has changed the saved values since. */
  readonly restored: "no" | "yes" | "outdated"
  /** Stores the changes in the browser, without these members. */
  readonly store: (secrets: ReadonlySet<string>) => void
  /** Treats the current values as saved. */
  readonly settle: () => void
  /** Restores the saved values. */
  readonly discard: () => void
}

/** The values of a form. */
export interface Draft<T extends object> extends FormDraft {
  readonly values: T
  readonly changes: Partial<T>
  readonly set: (changed: Partial<T>) => void
  /** Replaces the values with saved ones. */
  readonly adopt: (saved: T) => void
}

/** Whether a form of this page has a stored draft, so that it should be shown opened. */
export const useHasDraft = (form: string): boolean => useState(() => hasDraft(location.pathname, form))[0]

/**
 * The values of a form. `form`: its name, which is unique on the page. `saved`: the values as last read, or the initial
 * ones. Changes made by others appear until the user starts typing, and never count as changes of this form. The changes
 * survive a reload of the page.
 */
export const useDraft = <T extends object>(form: string, saved: T): Draft<T> => {
  const [name] = useState(() => draftName(location.pathname, form))
  const [state, setState] = useState(() => {
    const stored = storedDraft(name, saved)
    const restored: FormDraft["restored"] = stored === undefined ? "no" : stored.isOutdated ? "outdated" : "yes"
    return { read: JSON.stringify(saved), before: saved, values: stored?.values ?? saved, restored }
  })
  const { before, values, restored } = state
  const changes = changesIn(before, values)
  const read = JSON.stringify(saved)
  if (read !== state.read) {
    setState((last) => ({ ...last, read, ...(isChanged(changes) ? {} : { before: saved, values: saved }) }))
  }
  const adopt = (next: T) => {
    storeDraft(name, {}, {})
    setState((last) => ({ ...last, before: next, values: next, restored: "no" }))
  }
  return {
    values,
    changes,
    isDirty: isChanged(changes),
    restored,
    store: (secrets) => storeDraft(name, changes, before, secrets),
    set: (changed) => setState((last) => ({ ...last, values: { ...last.values, ...changed } })),
    adopt,
    settle: () => adopt(values),
    discard: () => adopt(saved)
  }
}
