import { allows, type Level } from "./Level.ts"

/** The permissions of a role: those of an API key level, and whether the role may help users. */
interface RolePermissions {
  readonly level: Level
  /** Whether the role may call the endpoints marked with `AllowsSupport`, whatever level they require. */
  readonly helpsUsers: boolean
}

/** The roles of operators, lowest first (C303). */
export const rolePermissions = {
  viewer: { level: "read", helpsUsers: false },
  support: { level: "read", helpsUsers: true },
  admin: { level: "admin_realm", helpsUsers: true },
  owner: { level: "admin_all_realms", helpsUsers: true }
} as const satisfies Readonly<Record<string, RolePermissions>>

export type OperatorRole = keyof typeof rolePermissions

const isRole = (name: string): name is OperatorRole => Object.hasOwn(rolePermissions, name)

export const operatorRoles: ReadonlyArray<OperatorRole> = Object.keys(rolePermissions).filter(isRole)

/** The lowest role whose permissions include a level, or an endpoint that support may call. */
export const lowestRole = (required: Level, allowsSupport: boolean): OperatorRole =>
  operatorRoles.find((role) => permits(role, required, allowsSupport)) ?? "owner"

/** Returns whether a role may call an endpoint that requires a level. */
export const permits = (role: OperatorRole, required: Level, allowsSupport: boolean): boolean => {
  const { level, helpsUsers }: RolePermissions = rolePermissions[role]
  return allows(level, required) || (allowsSupport && helpsUsers)
}
