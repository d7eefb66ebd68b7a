import { Context, Data } from "effect"
import type { ApiKeyId, RealmId, UserId } from "./Ids.ts"
import type { Level } from "./Level.ts"
import { lowestRole, type OperatorRole } from "./OperatorRole.ts"

/** The identity behind a call: an API key, or an operator who is logged in to the console. */
export type CallerIdentity =
  | { readonly type: "api_key"; readonly id: ApiKeyId }
  | { readonly type: "operator"; readonly id: UserId; readonly email: string; readonly role: OperatorRole }

/** The caller of the management API: its identity, its level, and the realm that it is locked to, if any. */
export class Caller extends Context.Service<
  Caller,
  { readonly by: CallerIdentity; readonly level: Level; readonly realmId: RealmId | null }
>()("sallyport/domain/Caller") {}

/** The caller's level is too low. `role` is the lowest role that is sufficient, if the caller is an operator. */
export class LevelTooLow extends Data.TaggedError("LevelTooLow")<{
  readonly required: Level
  readonly role?: OperatorRole | undefined
}> {}

/** Returns the failure of a caller that lacks a level. `allowsSupport` is whether the endpoint is marked with `AllowsSupport`. */
export const levelTooLow = (
  { by }: Caller["Service"],
  { level, allowsSupport = false }: { readonly level: Level; readonly allowsSupport?: boolean }
): LevelTooLow =>
  new LevelTooLow({ required: level, role: by.type === "operator" ? lowestRole(level, allowsSupport) : undefined })
