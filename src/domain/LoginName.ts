import { canonicalEmail } from "./Email.ts"
import { isId, type UserId } from "./Ids.ts"
import type { Account } from "./Login.ts"
import { canonical, isStorable, isWithin, TEXT_LENGTH } from "./Text.ts"
import { type UsernameSetting, type UserType, usesUsernames } from "./User.ts"

/** The possible readings of a user's name: an id, or else an email or a username. If both match users, the email wins. */
export interface LoginName {
  readonly id: UserId | undefined
  /** The email of a human, in canonical form. It matches nobody if several users share it. */
  readonly email: string | undefined
  /** A username in canonical form, of a user of one of these types. */
  readonly username: { readonly key: string; readonly types: ReadonlyArray<UserType> } | undefined
}

const noName: LoginName = { id: undefined, email: undefined, username: undefined }

const usernameIn = (realm: UsernameSetting, text: string): LoginName["username"] => {
  const key = canonical(text)
  if (!isStorable(key) || !isWithin(TEXT_LENGTH, key)) return undefined
  return { key, types: usesUsernames(realm, "human") ? ["human", "api"] : ["api"] }
}

/** Reads a user id, or the email of a human (v2). */
export const parseIdOrEmail = (text: string): LoginName =>
  isId("user", text) ? { ...noName, id: text } : { ...noName, email: canonicalEmail(text) }

/** Reads a user id or a username; in realms without usernames, the email of a human (v1, SEC-59). */
export const parseIdOrUsername = (realm: UsernameSetting, text: string): LoginName => {
  if (isId("user", text)) return { ...noName, id: text }
  const username = usernameIn(realm, text)
  if (username === undefined) return noName
  return { ...noName, email: usesUsernames(realm, "human") ? undefined : canonicalEmail(text), username }
}

/** Reads the name that a person logs in with: an email or a username. User ids are not accepted. */
export const parseTypedName = (realm: UsernameSetting, text: string): LoginName =>
  isId("user", text) ? noName : { ...noName, email: canonicalEmail(text), username: usernameIn(realm, text) }

/** An account found by one reading of a name. */
export interface FoundAccount {
  readonly by: keyof LoginName
  readonly account: Account
}

/** The account that a name refers to, among those found. `isGone`: whether an account counts as deleted. */
export const accountFor = (
  found: ReadonlyArray<FoundAccount>,
  isDeleted: (account: Account) => boolean
): Account | undefined => {
  const withEmail = found.filter(({ by }) => by === "email")
  const candidates = [
    ...(withEmail.length === 1 ? withEmail : []),
    ...found.filter(({ by }) => by === "username")
  ].filter(({ account }) => !isDeleted(account))
  return (found.find(({ by }) => by === "id") ?? candidates[0])?.account
}
