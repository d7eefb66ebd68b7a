import { canonicalEmail } from "./Email.ts"
import { isGeneratedId, isId, type UserId } from "./Ids.ts"
import type { Account } from "./Login.ts"
import { canonical, isStorable, isWithin, TEXT_LENGTH } from "./Text.ts"
import { type UsernameSetting, type UserType, usesUsernames } from "./User.ts"

/**
 * The ways to interpret the name given for a user: as an id, or else as an email or a username. If both match users, the
 * email wins.
 */
export interface LoginName {
  readonly id: UserId | undefined
  /** The name interpreted as a human's email, in canonical form. It matches nobody if several users share it. */
  readonly email: string | undefined
  /** The name interpreted as a username in canonical form, and the types of users it may belong to. */
  readonly username: { readonly key: string; readonly types: ReadonlyArray<UserType> } | undefined
}

const noName: LoginName = { id: undefined, email: undefined, username: undefined }

const usernameIn = (realm: UsernameSetting, text: string): LoginName["username"] => {
  const key = canonical(text)
  if (!isStorable(key) || !isWithin(TEXT_LENGTH, key)) return undefined
  return { key, types: usesUsernames(realm, "human") ? ["human", "api"] : ["api"] }
}

/** Parses a user id or the email of a human (v2). */
export const parseIdOrEmail = (text: string): LoginName =>
  isId("user", text) ? { ...noName, id: text } : { ...noName, email: canonicalEmail(text) }

/** Parses a user id or a username. In realms without usernames for humans, also accepts an email (v1, SEC-59). */
export const parseIdOrUsername = (realm: UsernameSetting, text: string): LoginName => {
  if (isGeneratedId("user", text)) return { ...noName, id: text }
  const username = usernameIn(realm, text)
  if (username === undefined) return noName
  // A username can have the form of an id kept from another service. If both exist, the id wins.
  const id = isId("user", text) ? text : undefined
  return { id, email: usesUsernames(realm, "human") ? undefined : canonicalEmail(text), username }
}

/** Parses the name that a person types to log in: an email or a username. User ids are not accepted. */
export const parseTypedName = (realm: UsernameSetting, text: string): LoginName =>
  isGeneratedId("user", text) ? noName : { ...noName, email: canonicalEmail(text), username: usernameIn(realm, text) }

/** An account found by one interpretation of a name. */
export interface FoundAccount {
  readonly by: keyof LoginName
  readonly account: Account
}

/** Chooses the account that a name refers to. Deleted accounts, as reported by `isDeleted`, are ignored unless found by id. */
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
