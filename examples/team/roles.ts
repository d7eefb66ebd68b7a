/** The permissions of each role. `ar:owner` is built in, so owners can also invite people on Sallyport's pages. */
export const roles = {
  owner: ["ar:owner", "tasks:write", "members:manage"],
  member: ["tasks:write"],
  guest: []
} satisfies Record<string, ReadonlyArray<string>>

export type Role = keyof typeof roles

export const isRole = (text: unknown): text is Role => typeof text === "string" && Object.hasOwn(roles, text)

/** Returns the role that has these permissions. */
export const roleOf = (permissions: ReadonlyArray<string>): Role => {
  if (permissions.includes("ar:owner")) return "owner"
  return permissions.includes("tasks:write") ? "member" : "guest"
}
