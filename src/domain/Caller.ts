import { Context, Data } from "effect"
import type { ApiKeyId, RealmId } from "./Ids.ts"

/** Permission levels, lowest first (C2). */
export const levels = ["read", "write", "admin_realm", "admin_all_realms"] as const

export type Level = (typeof levels)[number]

/** Whether `level` includes `required`. */
export const allows = (level: Level, required: Level): boolean => levels.indexOf(level) >= levels.indexOf(required)

/** The caller of the management API: its key, the key's level, and the realm the key is locked to, if any. */
export class Caller extends Context.Service<
  Caller,
  { readonly keyId: ApiKeyId; readonly level: Level; readonly realmId: RealmId | null }
>()("sallyport/domain/Caller") {}

/** The level of the caller's key is too low. */
export class LevelTooLow extends Data.TaggedError("LevelTooLow")<{ readonly required: Level }> {}
