import { Equal } from "effect"
import type { EventType } from "./Event.ts"
import { displayName, type User, type UserAttributes } from "./User.ts"

/** What an update comes to: the user afterwards, the events besides the ended sessions', and whether sessions end. */
export interface UserChange {
  readonly after: User
  readonly events: ReadonlyArray<EventType>
  readonly endsSessions: boolean
}

/**
 * Decides an administrative update (api-v2 sections 2 and 6, decision 19). Nothing given that differs, no event; asking
 * for verification is a change each time, since each asks for a new proof; so is vouching for a new address.
 */
export const decideUserChange = (before: User, given: UserAttributes, passwordChanges: boolean): UserChange => {
  const changed = { ...before, ...given }
  const after: User = { ...changed, name: displayName(changed) }
  const asksVerification = given.emailVerification === "requested"
  const unproved = before.emailVerification !== "verified" || before.email !== after.email
  const verifies = given.emailVerification === "verified" && unproved
  const events: Array<EventType> = []
  if (!Equal.equals(before, after) || passwordChanges || asksVerification) events.push("user.updated")
  if (after.emailPending !== null && after.emailPending !== before.emailPending) events.push("user.email.updating")
  if (asksVerification) events.push("user.email.verifying")
  if (verifies) events.push("user.email.verified")
  const endsSessions = passwordChanges || (before.state === "active" && after.state === "inactive")
  return { after, events, endsSessions }
}
