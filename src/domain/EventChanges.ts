import { Equal } from "effect"
import type { CredentialType } from "./Credential.ts"
import type { EventType, Version } from "./Event.ts"
import type { User } from "./User.ts"

/** The event types that say which members have changed. */
export type UpdateType = Extract<EventType, `${string}.updated`>

/** Whether events of a type say which members have changed. */
export const isUpdate = (type: EventType): type is UpdateType => type.endsWith(".updated")

/** Attributes whose members are not called after them. */
const memberNames: Readonly<Record<string, string>> = { eventTypes: "event_type", jwtFields: "jwt_scopes" }

/** The name of an attribute's member in v2. */
export const memberNameOf = (attribute: string): string =>
  memberNames[attribute] ?? attribute.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An attribute that is no member: what was proved is reported by events of its own. */
const UNLISTED = "provedEmail" satisfies keyof User

/** The members, by their names in v2, whose values differ: in the order of their names, each as a whole (C64). */
export const changedMembers = <A extends object>(before: A, after: NoInfer<A>): ReadonlyArray<string> => {
  const changed: Array<string> = []
  for (const attribute of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (attribute === UNLISTED) continue
    const isSame = Equal.equals(Reflect.get(before, attribute), Reflect.get(after, attribute))
    if (!isSame) changed.push(memberNameOf(attribute))
  }
  return changed.toSorted()
}

/**
 * The members of a user that a new, changed or removed credential stands for: a password and an API key have one of their
 * own. A password discards the pending e-mail (SEC-84).
 */
export const changedByCredential = (type: CredentialType, user: Pick<User, "emailPending">): ReadonlyArray<string> => {
  if (type === "password") return user.emailPending === null ? ["password"] : ["email_pending", "password"]
  return [type === "api_key" ? type : "credentials"]
}

const unknownToV1 = { email_pending: null, locale: null }

/** What a version calls the changed members of a type where it is another name; null: the version does not have it. */
const otherNames: Readonly<Record<Version, Partial<Record<UpdateType, Readonly<Record<string, string | null>>>>>> = {
  v1: {
    "realm.updated": { jwt_scopes: "jwt_fields" },
    "user.updated": unknownToV1,
    "user.profile.updated": unknownToV1
  },
  v2: { "membership.updated": { custom: null } }
}

/** The names of changed members in an API version, which lists only those that it has. */
export const changedIn = (
  type: UpdateType,
  changed: ReadonlyArray<string>,
  version: Version
): ReadonlyArray<string> => {
  const names = otherNames[version][type]
  if (names === undefined) return changed
  return changed.flatMap((member) => {
    const name = names[member]
    return name === null ? [] : [name ?? member]
  })
}

/** A member as it is stored, by its name in either version. */
export const storedMember = (member: string): string => (member === "jwt_fields" ? "jwt_scopes" : member)
