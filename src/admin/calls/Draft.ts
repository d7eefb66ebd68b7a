import { useState } from "react"
import { changesIn } from "./Changes.ts"

/**
 * The values of an edit form. `saved`: the values as last read. Changes made by others appear until the user starts
 * typing, and never count as changes of this form.
 */
export const useDraft = <T extends object>(saved: T) => {
  const [read, setRead] = useState(() => JSON.stringify(saved))
  const [before, setBefore] = useState(saved)
  const [values, setValues] = useState(saved)
  const changes = changesIn(before, values)
  const adopt = (next: T) => {
    setBefore(next)
    setValues(next)
  }
  const now = JSON.stringify(saved)
  if (now !== read) {
    setRead(now)
    if (Object.keys(changes).length === 0) adopt(saved)
  }
  return { values, changes, set: (changed: Partial<T>) => setValues((last) => ({ ...last, ...changed })), adopt }
}
