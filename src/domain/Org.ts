import type { DateTime } from "effect"
import { Data } from "effect"
import type { Custom } from "./Custom.ts"
import type { OrgId, RealmId } from "./Ids.ts"

export const orgStates = ["active", "inactive", "closed"] as const

/** An organization (`v2.org`). Users join it through memberships. The state `closed` is final. */
export interface Org {
  readonly id: OrgId
  readonly realmId: RealmId
  readonly state: (typeof orgStates)[number]
  readonly name: string
  readonly reference: string | null
  readonly custom: Custom
  readonly createdAt: DateTime.Utc
}

/** The fields of an org that a caller may set. */
export interface OrgAttributes {
  readonly state?: Org["state"]
  readonly name?: string
  readonly reference?: string | null
  readonly custom?: Custom
}

export const orgSorts = ["id", "name"] as const

export class OrgNotFound extends Data.TaggedError("OrgNotFound")<{ readonly id: string }> {}
