import { canonicalEmail } from "./Email.ts"
import { isId, type UserId } from "./Ids.ts"
import type { Account } from "./Login.ts"
import { canonical, isStorable, isWithin, TEXT_LENGTH } from "./Text.ts"
import { type Usernames, type UserType, usesUsernames } from "./User.ts"

/** The possible readings of a user's name: an id, or else an email or a username. If both match users, the email wins. */
export interface LoginName {
  readonly id: UserId | undefined
  /** The email of a human, in canonical form. It matches nobody if several users share it. */
  readonly email: string | undefined
  /** A username in canonical form, of a user of one of these types. */
  readonly username: { readonly key: string; readonly types: ReadonlyArray<UserType> } | undefined
}

const nobody: LoginName = { id: undefined, email: undefined, username: undefined }

const usernameIn = (realm: Usernames, text: string): LoginName["username"] => {
  const key = canonical(text)
  if (!isStorable(key) || !isWithin(TEXT_LENGTH, key)) return undefined
  return { key, types: usesUsernames(realm, "human") ? ["human", "api"] : ["api"] }
}

/** Reads a user id, or the email of a human (v2). */
export const idOrEmail = (text: string): LoginName =>
  isId("user", text) ? { ...nobody, id: text } : { ...nobody, email: canonicalEmail(text) }

/** Reads a user id or a username; in realms without usernames, the email of a human (v1, SEC-59). */
export const idOrUsername = (realm: Usernames, text: string): LoginName => {
  if (isId("user", text)) return { ...nobody, id: text }
  const username = usernameIn(realm, text)
  if (username === undefined) return nobody
  return { ...nobody, email: usesUsernames(realm, "human") ? undefined : canonicalEmail(text), username }
}

/** Reads the name that a person logs in with: an email or a username. User ids are not accepted. */
export const typedName = (realm: Usernames, text: string): LoginName =>
  isId("user", text) ? nobody : { ...nobody, email: canonicalEmail(text), username: usernameIn(realm, text) }

/** An account found by one reading of a name. */
export interface NamedAccount {
  readonly by: keyof LoginName
  readonly account: Account
}

/** The account that a name refers to, among those found. `isGone`: whether an account counts as deleted. */
export const accountNamed = (
  found: ReadonlyArray<NamedAccount>,
  isGone: (account: Account) => boolean
): Account | undefined => {
  const withEmail = found.filter(({ by }) => by === "email")
  const candidates = [
    ...(withEmail.length === 1 ? withEmail : []),
    ...found.filter(({ by }) => by === "username")
  ].filter(({ account }) => !isGone(account))
  return (found.find(({ by }) => by === "id") ?? candidates[0])?.account
}
