import type { DateTime } from "effect"
import { Data } from "effect"
import type { Custom } from "./Custom.ts"
import { localPart } from "./Email.ts"
import type { RealmId, UserId } from "./Ids.ts"
import type { RealmSettings } from "./Realm.ts"
import { sortKey } from "./Text.ts"

export const userTypes = ["human", "api"] as const

export type UserType = (typeof userTypes)[number]

export const userStates = ["active", "inactive"] as const

export const emailVerifications = ["none", "requested", "verified"] as const

export type EmailVerification = (typeof emailVerifications)[number]

/** A login identity (`v2.user`). `email` is canonical; an API user may have none. */
export interface User {
  readonly id: UserId
  readonly realmId: RealmId
  readonly userType: UserType
  readonly state: (typeof userStates)[number]
  readonly email: string | null
  readonly emailPending: string | null
  readonly emailVerification: EmailVerification
  /** The address that was proved last, which may no longer be the user's email (`ProvedEmail.ts`). */
  readonly provedEmail: string | null
  readonly username: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly name: string
  readonly locale: string | null
  readonly reference: string | null
  readonly custom: Custom
  readonly createdAt: DateTime.Utc
  readonly lastLoginAt: DateTime.Utc | null
}

/** The fields of a user that a caller may set, in canonical form; `name` only for API users. */
export interface UserAttributes {
  readonly state?: User["state"]
  readonly email?: string | null
  readonly emailPending?: string | null
  readonly emailVerification?: EmailVerification
  readonly username?: string | null
  readonly name?: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string | null
  readonly reference?: string | null
  readonly custom?: Custom
}

type NameParts = Pick<User, "firstName" | "lastName" | "username" | "email">

/** The name of a human: first and last name, else whichever exists, else the username, else the local part of the email (C21). */
export const displayName = (user: NameParts): string =>
  [user.firstName, user.lastName].filter((part) => part !== null).join(" ") ||
  user.username ||
  (user.email === null ? "" : localPart(user.email))

/** The keys of `sort=name` and `sort=name_alt` (last name, then first) (C11). */
export const nameSortKeys = (
  user: Pick<User, "name" | "firstName" | "lastName">
): { readonly name: string; readonly nameAlt: string } => {
  const name = sortKey(user.name)
  if (user.lastName === null) return { name, nameAlt: name }
  // The separator sorts before any letter, so all Anns come before the Ann Lees.
  return { name, nameAlt: `${sortKey(user.lastName)}\u0001${sortKey(user.firstName ?? "")}` }
}

/** The setting that decides whether a realm has usernames, or emails instead. */
export type UsernameSetting = Pick<RealmSettings, "usernameValidationHuman">

/** Whether users of a type have usernames. Humans have none in realms where emails replace them (`v1.realm`). */
export const usesUsernames = (realm: UsernameSetting, userType: UserType): boolean =>
  userType === "api" || realm.usernameValidationHuman === "standard"

/** A user as the realm shows it: without a username in realms where emails replace usernames. */
export const visibleUser = (realm: UsernameSetting, user: User): User => {
  if (user.username === null || usesUsernames(realm, user.userType)) return user
  const shown = { ...user, username: null }
  return { ...shown, name: displayName(shown) }
}

export const userSorts = ["id", "email", "last_login", "name", "name_alt", "username"] as const

export class UserNotFound extends Data.TaggedError("UserNotFound")<{ readonly id: string }> {}

export class UserInactive extends Data.TaggedError("UserInactive")<{ readonly userId: UserId }> {}
