import { Equal } from "effect"
import type { EventType } from "./Event.ts"
import type { Purpose } from "./OneTimeToken.ts"
import { displayName, type User, type UserAttributes } from "./User.ts"

/** What an update comes to. */
export interface UserChange {
  readonly after: User
  /** The events, besides those of the sessions that end. */
  readonly events: ReadonlyArray<EventType>
  readonly endsSessions: boolean
  /** What one-time tokens from before are void for (decisions 19, 25; SEC-26). */
  readonly voids: ReadonlyArray<Purpose>
}

/** An api user goes by the name it was given, else by its username; a human by names, username or e-mail. */
const nameAfter = (before: User, given: UserAttributes, changed: Omit<User, "name">): string => {
  if (before.userType === "human") return displayName(changed)
  const own = given.name === undefined && before.name !== before.username ? before.name : given.name
  return own ?? changed.username ?? ""
}

const voidedBy = (before: User, after: User): ReadonlyArray<Purpose> => {
  const purposes = new Set<Purpose>()
  if (before.state === "active" && after.state === "inactive") purposes.add("login").add("password_reset")
  if (before.email !== after.email) purposes.add("password_reset").add("email_verification")
  if (before.emailVerification !== "verified" && after.emailVerification === "verified") {
    purposes.add("email_verification")
  }
  if (before.emailPending !== after.emailPending) purposes.add("email_change")
  return [...purposes]
}

/** A user as one is once the password has changed: no e-mail waits any more that was asked for before (SEC-84). */
const withoutPending = (user: User, credential: "password" | "api_key" | undefined): User =>
  credential === "password" ? { ...user, emailPending: null } : user

/**
 * Decides an administrative update (api-v2 sections 2 and 6, decision 19). Nothing given that differs, no event; asking
 * for verification is a change each time, since each asks for a new proof; so is vouching for a new address.
 */
export const decideUserChange = (
  before: User,
  given: UserAttributes,
  credential: "password" | "api_key" | undefined
): UserChange => {
  const base = withoutPending(before, credential)
  const changed = { ...base, ...given }
  const after: User = { ...changed, name: nameAfter(before, given, changed) }
  const asksVerification = given.emailVerification === "requested"
  const unproved = before.emailVerification !== "verified" || before.email !== after.email
  const verifies = given.emailVerification === "verified" && unproved
  const events: Array<EventType> = []
  if (!Equal.equals(before, after) || credential !== undefined || asksVerification) events.push("user.updated")
  if (after.emailPending !== null && after.emailPending !== base.emailPending) events.push("user.email.updating")
  if (asksVerification) events.push("user.email.verifying")
  if (verifies) events.push("user.email.verified")
  const endsSessions = credential === "password" || (before.state === "active" && after.state === "inactive")
  return { after, events, endsSessions, voids: voidedBy(before, after) }
}

/** Decides a change that users make of themselves (decision 14): a new e-mail waits for its proof. */
export const decideProfileChange: typeof decideUserChange = (before, { email, ...given }, credential) => {
  const pending = email === undefined || email === before.email ? {} : { emailPending: email }
  const change = decideUserChange(before, { ...given, ...pending }, credential)
  return {
    ...change,
    events: change.events.map((type) => (type === "user.updated" ? "user.profile.updated" : type))
  }
}
