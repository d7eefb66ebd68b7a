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

/** A person or API user who can log in (`v2.user`). `email` is canonical. API users may have none. */
export interface User {
  readonly id: UserId
  readonly realmId: RealmId
  readonly userType: UserType
  readonly state: (typeof userStates)[number]
  readonly email: string | null
  readonly emailPending: string | null
  readonly emailVerification: EmailVerification
  /** The address that the user last proved to be theirs. It may no longer be the user's email (`ProvedEmail.ts`). */
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
  /** When the account will be deleted as its user asked, or null (C307). */
  readonly deletionAt: DateTime.Utc | null
}

/** The fields of a user that a caller may set, in canonical form. Only API users can have a given `name`. */
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

/**
 * The display name of a human: first and last name, or whichever exists, or else the username or the local part of the
 * email (C21).
 */
export const displayName = (user: NameParts): string =>
  [user.firstName, user.lastName].filter((part) => part !== null).join(" ") ||
  user.username ||
  (user.email === null ? "" : localPart(user.email))

/** The sort keys for `sort=name` and `sort=name_alt`, which sorts by last name, then first name (C11). */
export const nameSortKeys = (
  user: Pick<User, "name" | "firstName" | "lastName">
): { readonly name: string; readonly nameAlt: string } => {
  const name = sortKey(user.name)
  if (user.lastName === null) return { name, nameAlt: name }
  // The separator sorts before any letter, so that all people named Ann come before those named Ann Lee.
  return { name, nameAlt: `${sortKey(user.lastName)}\u0001${sortKey(user.firstName ?? "")}` }
}

/** The setting that decides whether a realm's users have usernames or only emails. */
export type UsernameSetting = Pick<RealmSettings, "usernameValidationHuman">

/** Returns whether users of a type have usernames. Humans don't in realms where emails replace usernames (`v1.realm`). */
export const usesUsernames = (realm: UsernameSetting, userType: UserType): boolean =>
  userType === "api" || realm.usernameValidationHuman === "standard"

/** A user as shown in the realm: without a username if emails replace usernames there. */
export const visibleUser = (realm: UsernameSetting, user: User): User => {
  if (user.username === null || usesUsernames(realm, user.userType)) return user
  const shown = { ...user, username: null }
  return { ...shown, name: displayName(shown) }
}

export const userSorts = ["id", "email", "last_login", "name", "name_alt", "username"] as const

export class UserNotFound extends Data.TaggedError("UserNotFound")<{ readonly id: string }> {}

export class UserInactive extends Data.TaggedError("UserInactive")<{ readonly userId: UserId }> {}
