import { Equal } from "effect"
import type { CredentialType } from "./Credential.ts"
import type { EventType, Version } from "./Event.ts"
import type { User } from "./User.ts"

/** The event types that list the changed members. */
export type UpdateType = Extract<EventType, `${string}.updated`>

/** Returns whether events of this type list the changed members. */
export const isUpdate = (type: EventType): type is UpdateType => type.endsWith(".updated")

/** The attributes whose member has a different name. */
const memberNames: Readonly<Record<string, string>> = { eventTypes: "event_type", jwtFields: "jwt_scopes" }

/** The name of an attribute's member in v2. */
export const memberNameOf = (attribute: string): string =>
  memberNames[attribute] ?? attribute.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An attribute that is not shown as a member, because verified emails have their own events. */
const UNLISTED_ATTRIBUTE = "provedEmail" satisfies keyof User

/** The members whose values differ, by their v2 names, sorted. A member with nested values counts as one (C64). */
export const changedMembers = <A extends object>(before: A, after: NoInfer<A>): ReadonlyArray<string> => {
  const changed: Array<string> = []
  for (const attribute of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (attribute === UNLISTED_ATTRIBUTE) continue
    const isSame = Equal.equals(Reflect.get(before, attribute), Reflect.get(after, attribute))
    if (!isSame) changed.push(memberNameOf(attribute))
  }
  return changed.toSorted()
}

/**
 * The members of a user that change when a credential is added, changed or removed. Passwords and API keys have their own
 * member. A new password also discards the pending email (SEC-84).
 */
export const changedByCredential = (type: CredentialType, user: Pick<User, "emailPending">): ReadonlyArray<string> => {
  if (type === "password") return user.emailPending === null ? ["password"] : ["email_pending", "password"]
  return [type === "api_key" ? type : "credentials"]
}

const notInV1 = { email_pending: null, locale: null }

/** The names of changed members that differ in a version, or null if the version does not have the member. */
const namesByVersion: Readonly<Record<Version, Partial<Record<UpdateType, Readonly<Record<string, string | null>>>>>> =
  {
    v1: {
      "realm.updated": { jwt_scopes: "jwt_fields" },
      "user.updated": notInV1,
      "user.profile.updated": notInV1
    },
    v2: { "membership.updated": { custom: null } }
  }

/** The names of changed members in an API version, without members that the version does not have. */
export const changedMembersIn = (
  type: UpdateType,
  changed: ReadonlyArray<string>,
  version: Version
): ReadonlyArray<string> => {
  const names = namesByVersion[version][type]
  if (names === undefined) return changed
  return changed.flatMap((member) => {
    const name = names[member]
    return name === null ? [] : [name ?? member]
  })
}

/** The stored name of a member, from its name in either version. */
export const storedMember = (member: string): string => (member === "jwt_fields" ? "jwt_scopes" : member)
