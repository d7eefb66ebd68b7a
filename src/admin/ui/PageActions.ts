import { useEffect, useState } from "react"
import type { MenuAction } from "./ActionsMenu.tsx"

/** The actions on the resource of the shown page. */
export interface PageActions {
  /** The name of the resource. */
  readonly subject: string
  readonly actions: ReadonlyArray<MenuAction>
}

const registered = new Map<object, PageActions>()

/** Offers actions on a page's resource in the palette, as long as the caller is shown. */
export const usePageActions = (subject: string, actions: ReadonlyArray<MenuAction>): void => {
  const [key] = useState(() => ({}))
  useEffect(() => {
    registered.set(key, { subject, actions })
    return () => void registered.delete(key)
  })
}

/** The actions that the shown page offers now. */
export const currentPageActions = (): ReadonlyArray<PageActions> => [...registered.values()]
