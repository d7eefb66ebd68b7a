import { canonicalEmail, foldedEmail, isSameEmail } from "./Email.ts"
import { type Problem, problem } from "./Rejected.ts"
import type { User } from "./User.ts"

type Names = Pick<User, "username" | "email">

/** The part of a username that people read as an address: the text in angle brackets, without trailing dots. */
const addressPart = (username: string): string =>
  username.replace(/^[^<]*<([^<>]*)>[^<>]*$/u, "$1").replace(/(?<![.。．｡\s])[.。．｡\s]+$/u, "")

/** The folded address that a username looks like, to people as well; null if it does not look like one. */
export const addressInUsername = (username: string): string | null => {
  const email = canonicalEmail(addressPart(username))
  return email === undefined ? null : foldedEmail(email)
}

/**
 * The username by which others know a user; null if there is none, or if it looks like an address that is not the user's own
 * and would name another person (C258).
 */
export const ownUsername = ({ username, email }: Names): string | null => {
  const address = username === null ? null : addressInUsername(username)
  return address === null || isSameEmail(address, email) ? username : null
}

/** Validates a new username of a user: one that looks like an address must be the user's own email. */
export const usernameProblems = (after: Names, before?: Names): ReadonlyArray<Problem> =>
  after.username === before?.username || ownUsername(after) === after.username
    ? []
    : [problem("username", "username_address")]
