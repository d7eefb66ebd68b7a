import { Context, Data } from "effect"
import type { ApiKeyId, RealmId } from "./Ids.ts"

/** Permission levels, lowest first (decision 2). */
export const levels = ["read", "write", "admin_realm", "admin_all_realms"] as const

export type Level = (typeof levels)[number]

/** True when `level` allows what needs `required`. */
export const allows = (level: Level, required: Level): boolean => levels.indexOf(level) >= levels.indexOf(required)

/** Who calls the management API: a key, its level, and the realm it is locked to, if any. */
export class Caller extends Context.Service<
  Caller,
  { readonly keyId: ApiKeyId; readonly level: Level; readonly realmId: RealmId | null }
>()("sallyport/domain/Caller") {}

/** The caller's key does not reach as far as what was asked for. */
export class LevelTooLow extends Data.TaggedError("LevelTooLow")<{ readonly required: Level }> {}
