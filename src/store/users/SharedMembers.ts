import { Equal } from "effect"

/**
 * Makes a value share its equal members with the previous value. Most realms and clients have the same settings, and many
 * are cached. Without sharing, each would have its own copy of every string and list (C215).
 */
export const shareMembers = <A extends object>(): ((value: A) => A) => {
  let before: A | undefined
  return (value) => {
    const [like, shared] = [before, { ...value }]
    before = shared
    if (like === undefined) return shared
    for (const name in value) if (Equal.equals(value[name], like[name])) shared[name] = like[name]
    return shared
  }
}
