import { ImportConflict } from "#domain/ImportRow"
import type { Membership } from "#domain/Membership"
import type { User } from "#domain/User"
import type { ImportedRows } from "#store/imports/ImportedRows"
import { mapConflict, type Write } from "#store/statements/Writes"
import type { NewCredential } from "#store/users/CredentialsRepo"
import type { NewEvent } from "../events/NewEvent.ts"
import { membershipEvent, membershipUpdate } from "../provisioning/NewMemberships.ts"
import type { BatchPlan, ChangedUser } from "./BatchPlan.ts"

/** The functions that build bulk writes to the tables of other repositories. */
export interface Insertions {
  readonly credentials: Write<unknown>
  readonly memberships: (memberships: ReadonlyArray<Membership>) => Write<unknown>
}

const isProfileChanged = ({ change }: ChangedUser): boolean => change.events.length > 0

/** The writes of a plan. Rows are written after the rows they refer to. Writes without rows are omitted. */
export const writesOf = (
  plan: BatchPlan,
  rows: ImportedRows["Service"],
  insertions: Insertions
): ReadonlyArray<Write<ImportConflict>> => {
  const changed = plan.changedUsers.filter(isProfileChanged).map(({ change }) => change.after)
  const some = <A>(all: ReadonlyArray<A>, writes: (all: ReadonlyArray<A>) => ReadonlyArray<Write<unknown>>) =>
    all.length === 0 ? [] : writes(all)
  return [
    ...some(plan.newOrgs, (orgs) => [rows.newOrgs(orgs)]),
    ...some<User>(changed, rows.changedUsers),
    ...some(plan.newUsers, rows.newUsers),
    ...some(plan.replacedPasswords, (passwords) => [rows.replacedPasswords(passwords)]),
    ...some<NewCredential>(plan.newCredentials, () => [insertions.credentials]),
    ...some(plan.changedMemberships, (changed) => [
      rows.changedMemberships(changed.map(({ membership }) => membership))
    ]),
    ...some(plan.newMemberships, (memberships) => [insertions.memberships(memberships)])
  ].map((write) => mapConflict(write, () => new ImportConflict()))
}

/** The events of a changed user. An import issues no tokens, so events that would send one by email are omitted. */
const eventsOfChange = ({ change, credentials }: ChangedUser): ReadonlyArray<NewEvent> => {
  const { id: userId } = change.after
  const changed = [...new Set([...change.changed, ...credentials])].toSorted()
  const isVerified = change.events.includes("user.email.verified")
  return [
    ...(changed.length === 0 ? [] : [{ eventType: "user.updated" as const, userId, changed }]),
    ...(isVerified ? [{ eventType: "user.email.verified" as const, userId }] : [])
  ]
}

const eventsOfNewUser = ({ id: userId, emailVerification }: User): ReadonlyArray<NewEvent> => [
  { eventType: "user.created", userId },
  ...(emailVerification === "verified" ? [{ eventType: "user.email.verified" as const, userId }] : [])
]

/** The events of a plan, except those of ended sessions. */
export const eventsOf = (plan: BatchPlan): ReadonlyArray<NewEvent> => [
  ...plan.newOrgs.map(({ id }) => ({ eventType: "org.created" as const, orgId: id })),
  ...plan.newUsers.flatMap(eventsOfNewUser),
  ...plan.changedUsers.flatMap(eventsOfChange),
  ...plan.expired.map((membership) => membershipEvent("membership.deleted", membership)),
  ...plan.changedMemberships.map(({ membership, changed }) => membershipUpdate(membership, changed)),
  ...plan.newMemberships.map((membership) => membershipEvent("membership.created", membership))
]
