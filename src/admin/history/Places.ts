import { useSyncExternalStore } from "react"
import { consolePath } from "../calls/ServiceUrls.ts"
import { scrollWhenPossible } from "./Scroll.ts"
import { hasUnsaved, leaveIfAgreed } from "./UnsavedChanges.ts"

/** The place of a list that was left: its query string and scroll position. */
interface Place {
  readonly search: string
  readonly top: number
}

interface NavigateOptions {
  readonly replace?: boolean
  readonly state?: unknown
}

const TOPS = "sallyport-console-scroll"

/** The history state of links that return to a list as it was left. */
export const returning = { isReturn: true } as const

const numberIn = (state: unknown): number | undefined => {
  const at: unknown = typeof state === "object" && state !== null && "at" in state ? state.at : undefined
  return typeof at === "number" ? at : undefined
}

const isReturn = (state: unknown): boolean => typeof state === "object" && state !== null && "isReturn" in state

const storedTops = (): ReadonlyArray<readonly [number, number]> => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(TOPS) ?? "[]")
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

/** The position of the shown entry in the browser's history, counted from the first entry of this document. */
let at = numberIn(history.state) ?? 0
/** The path and the query string of the shown page. They differ from the browser's while the user is asked. */
let shown = { path: location.pathname, search: location.search }
const tops = new Map<number, number>(storedTops())
const places = new Map<string, Place>()
const listeners = new Set<() => void>()
let isGoingBack = false

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const remember = () => {
  tops.set(at, window.scrollY)
  places.set(shown.path, { search: shown.search, top: window.scrollY })
}

const show = () => {
  shown = { path: location.pathname, search: location.search }
  for (const listener of listeners) listener()
}

/** Goes to another page of the console, unless the user wants to keep unsaved changes. */
const navigate = (to: string, { replace = false, state }: NavigateOptions = {}): void => {
  const { pathname } = new URL(to, location.href)
  const isSamePage = pathname === shown.path
  const go = () => {
    const top = isReturn(state) ? (places.get(pathname)?.top ?? 0) : 0
    history[replace ? "replaceState" : "pushState"]({ at: replace ? at : at + 1 }, "", to)
    if (!isSamePage) scrollWhenPossible(top)
  }
  if (isSamePage) go()
  else leaveIfAgreed(go)
}

/** The browser's Back and Forward buttons. They have already changed the address when this is called. */
const onPop = ({ state }: PopStateEvent) => {
  if (isGoingBack) {
    isGoingBack = false
    return
  }
  const next = numberIn(state)
  // A link to a part of the page, which has added an entry.
  if (next === undefined) {
    history.replaceState({ at: at + 1 }, "")
    return
  }
  const steps = next - at
  if (hasUnsaved() && location.pathname !== shown.path && steps !== 0) {
    isGoingBack = true
    history.go(-steps)
    leaveIfAgreed(() => history.go(steps))
    return
  }
  remember()
  at = next
  show()
  scrollWhenPossible(tops.get(at) ?? 0)
}

const onChange = () => {
  remember()
  at = numberIn(history.state) ?? at + 1
  show()
}

history.scrollRestoration = "manual"
history.replaceState({ at }, "")
scrollWhenPossible(tops.get(at) ?? 0)
window.addEventListener("popstate", onPop)
// The router's module dispatches these events.
window.addEventListener("pushState", onChange)
window.addEventListener("replaceState", onChange)
window.addEventListener("pagehide", () => {
  tops.set(at, window.scrollY)
  try {
    sessionStorage.setItem(TOPS, JSON.stringify([...tops]))
  } catch {
    // Private windows may block storage.
  }
})

/** The router's location hook. */
export const usePlace = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, () => shown.path), navigate]

/** The raw query string. The router decodes escapes, so `%` is escaped to prevent decoding the values twice. */
export const useRawSearch = (): string => useSyncExternalStore(subscribe, () => shown.search).replaceAll("%", "%25")

/** The path of a list with the query string it had when it was left. */
export const pathAsLeft = (to: string): string => to + (places.get(consolePath + to)?.search ?? "")
