import type { DateTime } from "effect"
import { Data } from "effect"
import { allows, type Level } from "./Caller.ts"
import type { ApiKeyId, RealmId } from "./Ids.ts"

/** A management key (decision 3). The key itself is shown once and kept only as its SHA-256. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly realmId: RealmId | null
  readonly name: string
  readonly level: Level
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
  readonly lastUsedAt: DateTime.Utc | null
}

export class ApiKeyNotFound extends Data.TaggedError("ApiKeyNotFound")<{ readonly id: string }> {}

/** Whether a caller may see and manage a key: one locked to a realm the caller controls, or any from `admin_all_realms`. */
export const manages = (
  caller: { readonly level: Level; readonly realmId: RealmId | null },
  keyRealm: RealmId | null
): boolean =>
  caller.level === "admin_all_realms" ||
  (keyRealm !== null && allows(caller.level, "admin_realm") && (caller.realmId === null || caller.realmId === keyRealm))
