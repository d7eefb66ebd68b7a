import { canonicalEmail } from "./Email.ts"
import { isId, type UserId } from "./Ids.ts"
import type { Account } from "./Login.ts"
import { canonical, isStorable, isWithin, TEXT_LENGTH } from "./Text.ts"
import { type Usernames, type UserType, usesUsernames } from "./User.ts"

/** What names a user: an id, or else an e-mail or a username. If both name users, the e-mail wins. */
export interface LoginName {
  readonly id: UserId | undefined
  /** The e-mail of a human, in canonical form. It names nobody if several share it. */
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

/** A user id, or the e-mail of a human (v2). */
export const idOrEmail = (text: string): LoginName =>
  isId("user", text) ? { ...nobody, id: text } : { ...nobody, email: canonicalEmail(text) }

/** A user id or a username; in realms without usernames, the e-mail of a human (v1, SEC-59). */
export const idOrUsername = (realm: Usernames, text: string): LoginName => {
  if (isId("user", text)) return { ...nobody, id: text }
  const username = usernameIn(realm, text)
  if (username === undefined) return nobody
  return { ...nobody, email: usesUsernames(realm, "human") ? undefined : canonicalEmail(text), username }
}

/** What people log in with: an e-mail or a username. A user id is not accepted. */
export const typedName = (realm: Usernames, text: string): LoginName =>
  isId("user", text) ? nobody : { ...nobody, email: canonicalEmail(text), username: usernameIn(realm, text) }

/** An account that a part of a name has led to. */
export interface NamedAccount {
  readonly by: keyof LoginName
  readonly account: Account
}

/** The account that a name names, of those that its parts have led to. `isGone`: whether an account counts as deleted. */
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
