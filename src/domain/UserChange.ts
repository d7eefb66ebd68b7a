import { Equal } from "effect"
import type { UserEventType } from "./Event.ts"
import { changedByCredential, changedMembers } from "./EventChanges.ts"
import type { Purpose } from "./OneTimeToken.ts"
import { isEmailVerified, provedEmailAfter } from "./ProvedEmail.ts"
import { displayName, type User, type UserAttributes } from "./User.ts"

/** The result of an update. */
export interface UserChange {
  readonly after: User
  /** The events to record, except those of the sessions that end. */
  readonly events: ReadonlyArray<UserEventType>
  /** The changed members, as listed in the update event. */
  readonly changed: ReadonlyArray<string>
  readonly endsSessions: boolean
  /** The purposes whose outstanding one-time tokens are revoked by a change of address (C25, SEC-26). */
  readonly revokedPurposes: ReadonlyArray<Purpose>
}

/** The name of a user after an update. An API user has the given name or else the username. A human's name is derived. */
const nameAfter = (before: User, attributes: UserAttributes, changed: Omit<User, "name">): string => {
  if (before.userType === "human") return displayName(changed)
  const own = attributes.name === undefined && before.name !== before.username ? before.name : attributes.name
  return own ?? changed.username ?? ""
}

const purposesToRevoke = (before: User, after: User): ReadonlyArray<Purpose> => {
  const purposes = new Set<Purpose>()
  if (before.email !== after.email) purposes.add("password_reset").add("email_verification")
  if (!isEmailVerified(before) && isEmailVerified(after)) purposes.add("email_verification")
  if (before.emailPending !== after.emailPending) purposes.add("email_change")
  return [...purposes]
}

/** A new password discards the pending email, because someone else may have requested it (SEC-84). */
const withoutPending = (user: User, credential: "password" | "api_key" | undefined): User =>
  credential === "password" ? { ...user, emailPending: null } : user

/**
 * Decides the effect of an administrative update (`v2.users`, C19). If nothing changes, there is no event. Requesting
 * verification always counts as a change, and so does marking a new address as verified.
 */
export const decideUserChange = (
  before: User,
  attributes: UserAttributes,
  credential: "password" | "api_key" | undefined
): UserChange => {
  const base = withoutPending(before, credential)
  const changed = { ...base, ...attributes }
  const provedEmail = provedEmailAfter({ ...attributes, email: changed.email }, before.provedEmail)
  const after: User = { ...changed, provedEmail, name: nameAfter(before, attributes, changed) }
  const requestsVerification = attributes.emailVerification === "requested"
  const verifies = attributes.emailVerification === "verified" && !isEmailVerified({ ...before, email: after.email })
  const events: Array<UserEventType> = []
  if (!Equal.equals(before, after) || credential !== undefined || requestsVerification) events.push("user.updated")
  if (after.emailPending !== null && after.emailPending !== base.emailPending) events.push("user.email.updating")
  if (requestsVerification) events.push("user.email.verifying")
  if (verifies) events.push("user.email.verified")
  const endsSessions = credential === "password" || (before.state === "active" && after.state === "inactive")
  const byCredential = credential === undefined ? [] : changedByCredential(credential, before)
  const members = new Set([...changedMembers(before, after), ...byCredential])
  return {
    after,
    events,
    changed: [...members].toSorted(),
    endsSessions,
    revokedPurposes: purposesToRevoke(before, after)
  }
}

/**
 * Decides the effect of an update by an API caller (C261). Callers often send back what they read. So if a user is already
 * `verified`, sending `verified` again is not a new proof; otherwise it would mark a changed address as proved.
 */
export const decideUserUpdate: typeof decideUserChange = (before, attributes, credential) => {
  const { emailVerification, ...others } = attributes
  const isRepeated = emailVerification === "verified" && before.emailVerification === "verified"
  return decideUserChange(before, isRepeated ? others : attributes, credential)
}

/** Decides the effect of a user's change to their own account (C14). A new email stays pending until it is confirmed. */
export const decideProfileChange: typeof decideUserChange = (before, { email, ...attributes }, credential) => {
  const pending = email === undefined || email === before.email ? {} : { emailPending: email }
  const change = decideUserChange(before, { ...attributes, ...pending }, credential)
  return {
    ...change,
    events: change.events.map((type) => (type === "user.updated" ? "user.profile.updated" : type))
  }
}
