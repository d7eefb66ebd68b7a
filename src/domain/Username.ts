import { canonicalEmail, foldedEmail, isSameEmail } from "./Email.ts"
import { type Problem, problem } from "./Rejected.ts"
import type { User } from "./User.ts"

type Names = Pick<User, "username" | "email">

/** The part of a username that people would read as an address: the text in angle brackets, without trailing dots. */
const addressPart = (username: string): string =>
  username.replace(/^[^<]*<([^<>]*)>[^<>]*$/u, "$1").replace(/(?<![.。．｡\s])[.。．｡\s]+$/u, "")

/** The address that a username looks like, in folded form, or null if it does not look like an address. */
export const addressInUsername = (username: string): string | null => {
  const email = canonicalEmail(addressPart(username))
  return email === undefined ? null : foldedEmail(email)
}

/**
 * The username to show to others. Null if there is none, or if it looks like an address that does not belong to the user
 * (C258).
 */
export const ownUsername = ({ username, email }: Names): string | null => {
  const address = username === null ? null : addressInUsername(username)
  return address === null || isSameEmail(address, email) ? username : null
}

/** Validates a user's new username. A username that looks like an address must be the user's own email. */
export const usernameProblems = (after: Names, before?: Names): ReadonlyArray<Problem> =>
  after.username === before?.username || ownUsername(after) === after.username
    ? []
    : [problem("username", "username_address")]
