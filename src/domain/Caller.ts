import { Context, Data } from "effect"
import type { ApiKeyId, RealmId } from "./Ids.ts"
import type { Level } from "./Level.ts"

/** The caller of the management API: its key, the key's level, and the realm the key is locked to, if any. */
export class Caller extends Context.Service<
  Caller,
  { readonly keyId: ApiKeyId; readonly level: Level; readonly realmId: RealmId | null }
>()("sallyport/domain/Caller") {}

/** The level of the caller's API key is too low. */
export class LevelTooLow extends Data.TaggedError("LevelTooLow")<{ readonly required: Level }> {}
