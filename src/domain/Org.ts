import type { DateTime } from "effect"
import { Data } from "effect"
import type { Custom } from "./Custom.ts"
import type { OrgId, RealmId } from "./Ids.ts"

export const orgStates = ["active", "inactive", "closed"] as const

/** An account that users join by memberships (api-v2 section 2). `closed` is final. */
export interface Org {
  readonly id: OrgId
  readonly realmId: RealmId
  readonly state: (typeof orgStates)[number]
  readonly name: string
  readonly reference: string | null
  readonly custom: Custom
  readonly createdAt: DateTime.Utc
}

/** What a caller may set of an org. */
export interface OrgAttributes {
  readonly state?: Org["state"]
  readonly name?: string
  readonly reference?: string | null
  readonly custom?: Custom
}

export const orgSorts = ["id", "name"] as const

export class OrgNotFound extends Data.TaggedError("OrgNotFound")<{ readonly id: string }> {}
