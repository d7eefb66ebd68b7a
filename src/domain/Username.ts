import { canonicalEmail, foldedEmail, isSameEmail } from "./Email.ts"
import { type Problem, problem } from "./Rejected.ts"
import type { User } from "./User.ts"

type Names = Pick<User, "username" | "email">

/** What people read as an address: what stands in angle brackets, and without dots at its end. */
const readAsAddress = (username: string): string =>
  username.replace(/^[^<]*<([^<>]*)>[^<>]*$/u, "$1").replace(/(?<![.。．｡\s])[.。．｡\s]+$/u, "")

/** The address, folded, that a username has the form of, to people too; null if it has another form. */
export const addressInUsername = (username: string): string | null => {
  const email = canonicalEmail(readAsAddress(username))
  return email === undefined ? null : foldedEmail(email)
}

/**
 * The username by which others know a user; null if there is none, or if it has the form of an address that is not the
 * user's own and would name another person (C258).
 */
export const ownUsername = ({ username, email }: Names): string | null => {
  const address = username === null ? null : addressInUsername(username)
  return address === null || isSameEmail(address, email) ? username : null
}

/** What is wrong with a username that a user gets: one in the form of an address has to be the user's own email. */
export const usernameProblems = (after: Names, before?: Names): ReadonlyArray<Problem> =>
  after.username === before?.username || ownUsername(after) === after.username
    ? []
    : [problem("username", "username_address")]
