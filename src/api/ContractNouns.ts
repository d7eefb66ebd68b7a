/**
 * The groups of the API whose nouns are in the documents of the contract: clients written for those may send members that the service does
 * not know, which it ignores and names in a header. On every other noun an unknown member is refused (C251).
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

/** Whether the contract has the noun of a group. */
export const isContractNoun = (group: string): boolean => contractGroups.has(group)
