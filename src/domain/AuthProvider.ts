import type { DateTime } from "effect"
import type { AuthProviderId, RealmId } from "./Ids.ts"

/** What a realm authenticates with. `minLength` belongs to `password`. */
export interface AuthProvider {
  readonly id: AuthProviderId
  readonly realmId: RealmId
  readonly providerType: string
  readonly state: "active" | "inactive"
  readonly minLength: number | null
  readonly createdAt: DateTime.Utc
}

/** The shortest password of a new realm, in characters (decisions 18, 23). */
export const DEFAULT_MIN_LENGTH = 8
