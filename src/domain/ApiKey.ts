import type { DateTime } from "effect"
import { Data } from "effect"
import type { ApiKeyId, RealmId } from "./Ids.ts"
import { allows, type Level } from "./Level.ts"

/** An API key (C3). The key itself is shown only once, and only its SHA-256 is stored. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly realmId: RealmId | null
  readonly name: string
  readonly level: Level
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
  readonly lastUsedAt: DateTime.Utc | null
}

/** The maximum number of keys locked to one realm, expired ones included (C269). */
export const MAX_API_KEYS = 1_000

export class ApiKeyNotFound extends Data.TaggedError("ApiKeyNotFound")<{ readonly id: string }> {}

/**
 * Returns whether a caller may see and manage a key. Realm admins manage the keys locked to their realm; `admin_all_realms`
 * manages all keys.
 */
export const canManageApiKey = (
  caller: { readonly level: Level; readonly realmId: RealmId | null },
  keyRealm: RealmId | null
): boolean =>
  caller.level === "admin_all_realms" ||
  (keyRealm !== null && allows(caller.level, "admin_realm") && (caller.realmId === null || caller.realmId === keyRealm))
