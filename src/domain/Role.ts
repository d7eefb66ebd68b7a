import type { MembershipId } from "./Ids.ts"
import { permissionProblems } from "./Permission.ts"
import { atPath, type Problem, problem } from "./Rejected.ts"
import { canonical } from "./Text.ts"

/**
 * A realm's name for a set of permissions (C210). Memberships do not store a role: a member has the role whose permissions
 * equal their own.
 */
export interface Role {
  readonly name: string
  readonly permissions: ReadonlyArray<string>
}

/** The maximum number of roles per realm. */
export const MAX_ROLES = 50

/** The maximum length of a role's name, in characters. */
export const ROLE_NAME_LENGTH = 60

/** The permission that makes a member an owner of an org (`v2.membership`). */
export const OWNER = "ar:owner"

/** The permission that lets a member manage an org's team (`v2.membership`). */
export const ADMIN = "ar:admin"

/** A membership in an org, or an invitation to one. */
interface HasPermissions {
  readonly permissions: ReadonlyArray<string>
}

interface Member extends HasPermissions {
  readonly id: MembershipId
}

export const isOwner = ({ permissions }: HasPermissions): boolean => permissions.includes(OWNER)

/** Returns whether a member may manage the team of their org. */
export const managesTeam = ({ permissions }: HasPermissions): boolean =>
  permissions.includes(OWNER) || permissions.includes(ADMIN)

const keyOf = (permissions: ReadonlyArray<string>): string => permissions.toSorted().join(" ")

const hasDuplicates = (texts: ReadonlyArray<string>): boolean => new Set(texts).size < texts.length

const roleProblems = ({ permissions }: Role): ReadonlyArray<Problem> => [
  ...permissionProblems(permissions),
  ...(permissions.includes(OWNER) ? [problem("permissions", "permission_of_owners")] : [])
]

/** Validates the roles of a realm. */
export const rolesProblems = (roles: ReadonlyArray<Role>): ReadonlyArray<Problem> => [
  ...(roles.length > MAX_ROLES ? [problem("roles", "too_many", { most: MAX_ROLES })] : []),
  ...roles.flatMap((role, index) => atPath(`roles[${index}]`, roleProblems(role))),
  ...(hasDuplicates(roles.map(({ name }) => canonical(name))) ? [problem("roles", "roles_repeat_names")] : []),
  ...(hasDuplicates(roles.map(({ permissions }) => keyOf(permissions)))
    ? [problem("roles", "roles_repeat_permissions")]
    : [])
]

/** The role whose permissions equal those of a membership, or undefined if there is none. An owner never has a role. */
export const roleOf = (roles: ReadonlyArray<Role>, { permissions }: HasPermissions): Role | undefined =>
  roles.find((role) => keyOf(role.permissions) === keyOf(permissions))

/**
 * Returns whether a member may assign a role. Owners may assign any role. Admins may assign only roles whose permissions
 * they all have (SEC-209).
 */
export const mayGrant = (actor: HasPermissions, { permissions }: HasPermissions): boolean =>
  isOwner(actor) || (managesTeam(actor) && permissions.every((tag) => actor.permissions.includes(tag)))

/**
 * Returns whether a member may change or remove another member. Owners may manage everyone, admins everyone except owners.
 * Nobody may manage themselves.
 */
export const mayManage = (actor: Member, member: Member): boolean =>
  actor.id !== member.id && managesTeam(actor) && (isOwner(actor) || !isOwner(member))

/**
 * The permissions of a former owner after handing over an org: those of the first role that includes `ar:admin`, or else
 * their own without ownership, plus `ar:admin`.
 */
export const formerOwnerPermissions = (
  roles: ReadonlyArray<Role>,
  { permissions }: HasPermissions
): ReadonlyArray<string> => {
  const role = roles.find((role) => role.permissions.includes(ADMIN))
  return role?.permissions ?? [...new Set([...permissions.filter((tag) => tag !== OWNER), ADMIN])]
}

/** The permissions of an org's new owner: their previous ones plus ownership. */
export const newOwnerPermissions = ({ permissions }: HasPermissions): ReadonlyArray<string> => [
  ...new Set([OWNER, ...permissions])
]
