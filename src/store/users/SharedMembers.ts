import { Equal } from "effect"

/**
 * Gives values the members of the one before where they are equal. Most realms and clients have the same settings, and many are
 * kept in memory: each would have its own copy of every text and list (C215).
 */
export const sharingMembers = <A extends object>(): ((value: A) => A) => {
  let before: A | undefined
  return (value) => {
    const [like, shared] = [before, { ...value }]
    before = shared
    if (like === undefined) return shared
    for (const name in value) if (Equal.equals(value[name], like[name])) shared[name] = like[name]
    return shared
  }
}
