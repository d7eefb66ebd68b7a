import { type Problem, problem } from "./Rejected.ts"

/** The maximum length of a permission tag, in characters (`v2.limit`). */
export const PERMISSION_LENGTH = 62

/** The maximum number of permissions per membership (`v2.limit`). */
export const PERMISSIONS_PER_MEMBERSHIP = 20

const TAG = /^[a-z0-9*:;._-]+$/i
const RESERVED = new Set(["ar:owner", "ar:admin"])

/** Removes duplicates from a caller's permissions. */
export const parsePermissions = (permissions: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(permissions)]

/** The code of the rule that a tag breaks, or undefined if it is valid. `ar:` is reserved for `ar:owner` and `ar:admin`. */
const tagProblem = (tag: string): string | undefined => {
  if (tag.length > PERMISSION_LENGTH) return "permission_too_long"
  if (!TAG.test(tag)) return "permission_form"
  return tag.toLowerCase().startsWith("ar:") && !RESERVED.has(tag) ? "permission_reserved" : undefined
}

/** The code of the first rule that the tags break, or undefined if all are valid. */
export const permissionsProblem = (tags: ReadonlyArray<string>): string | undefined =>
  tags.length > PERMISSIONS_PER_MEMBERSHIP
    ? "too_many_permissions"
    : tags.map(tagProblem).find((code) => code !== undefined)

/** The problems of the `permissions` member. A problem about reserved tags lists all of them. */
export const permissionProblems = (tags: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const code = permissionsProblem(tags)
  if (code === undefined) return []
  if (code !== "permission_reserved") return [problem("permissions", code)]
  const reserved = tags.filter((tag) => tagProblem(tag) === code)
  return [problem("permissions", code, { tags: reserved.join(", ") })]
}
