/**
 * The API groups that are described in the contract's documents. Clients written for these documents may send members unknown
 * to the service. The service ignores these members and lists them in a response header. All other groups reject unknown
 * members (C251).
 */
const contractGroups: ReadonlySet<string> = new Set([
  "v2.users",
  "v2.logins",
  "v2.orgs",
  "v2.memberships",
  "v2.invitations",
  "v2.sessions",
  "v2.external_authentication",
  "v1.users",
  "v1.logins",
  "v1.user_tokens",
  "v1.orgs",
  "v1.memberships",
  "v1.sessions",
  "v1.credentials",
  "v1.realms",
  "v1.jwt_keys",
  "v1.hooks",
  "v1.login_policies",
  "v1.external_authentication"
])

/** Returns whether the contract describes a group. */
export const isContractGroup = (group: string): boolean => contractGroups.has(group)
