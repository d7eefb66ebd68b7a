import { type Problem, problem } from "./Rejected.ts"

/** The longest permission tag, in characters (`v2.limit`). */
export const PERMISSION_LENGTH = 62

/** How many permissions a membership may have (`v2.limit`). */
export const PERMISSIONS_PER_MEMBERSHIP = 20

const TAG = /^[a-z0-9*:;._-]+$/i
const RESERVED = new Set(["ar:owner", "ar:admin"])

/** A caller's permissions without duplicates. */
export const parsePermissions = (permissions: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(permissions)]

/** The code of the first rule the tags break, or undefined. `ar:` is reserved for `ar:owner` and `ar:admin`. */
export const permissionsProblem = (tags: ReadonlyArray<string>): string | undefined => {
  if (tags.length > PERMISSIONS_PER_MEMBERSHIP) return "too_many_permissions"
  for (const tag of tags) {
    if (tag.length > PERMISSION_LENGTH) return "permission_too_long"
    if (!TAG.test(tag)) return "permission_form"
    if (tag.toLowerCase().startsWith("ar:") && !RESERVED.has(tag)) return "permission_reserved"
  }
  return undefined
}

/** The same as problems of the member that holds the tags. */
export const permissionProblems = (tags: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const code = permissionsProblem(tags)
  return code === undefined ? [] : [problem("permissions", code)]
}
