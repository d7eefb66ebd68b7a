/** The changes of a form as stored in the browser, and the saved values when they were typed. */
interface StoredDraft {
  readonly changes: Readonly<Record<string, unknown>>
  readonly before: Readonly<Record<string, unknown>>
}

const PREFIX = "sallyport-console-draft "

/** Members that are never stored, besides those of password fields. */
const SECRETS = /password|secret|private_key/

/** The name of a form's draft: the page's path contains its realm and its resource. */
export const draftName = (path: string, form: string): string => `${PREFIX}${path} ${form}`

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isAlike = (one: unknown, other: unknown): boolean =>
  one === null ||
  other === null ||
  one === undefined ||
  (typeof one === typeof other && Array.isArray(one) === Array.isArray(other))

/** Stores a draft for as long as the tab is open. Deletes it if nothing but secrets has changed. */
export const storeDraft = (
  name: string,
  changes: object,
  before: object,
  secrets: ReadonlySet<string> = new Set()
): void => {
  const kept = Object.entries(changes).filter(([member]) => !SECRETS.test(member) && !secrets.has(member))
  try {
    if (kept.length === 0) sessionStorage.removeItem(name)
    else {
      const draft: StoredDraft = {
        changes: Object.fromEntries(kept),
        before: Object.fromEntries(kept.map(([member]) => [member, Reflect.get(before, member)]))
      }
      sessionStorage.setItem(name, JSON.stringify(draft))
    }
  } catch {
    // The browser may block storage or have no space left. The draft then lasts until the page is closed.
  }
}

/**
 * Returns a form's values with the stored changes, and whether the saved values have changed since they were typed.
 * Undefined if there is no draft, or only one of another release.
 */
export const storedDraft = <T extends object>(
  name: string,
  saved: T
): { readonly values: T; readonly isOutdated: boolean } | undefined => {
  try {
    const text = sessionStorage.getItem(name)
    if (text === null) return undefined
    const { changes, before }: StoredDraft = JSON.parse(text)
    const kept = Object.entries(changes).filter(
      ([member, value]) => Object.hasOwn(saved, member) && isAlike(Reflect.get(saved, member), value)
    )
    if (kept.length === 0) return undefined
    return {
      values: { ...saved, ...Object.fromEntries(kept) },
      isOutdated: kept.some(([member]) => !same(before[member], Reflect.get(saved, member)))
    }
  } catch {
    return undefined
  }
}

/** Deletes all drafts of this tab. */
export const deleteDrafts = (): void => {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name)
  } catch {
    // Without storage there are no drafts.
  }
}

/** Whether a form has a stored draft. */
export const hasDraft = (path: string, form: string): boolean => {
  try {
    return sessionStorage.getItem(draftName(path, form)) !== null
  } catch {
    return false
  }
}
