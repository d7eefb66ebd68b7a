import type { DateTime } from "effect"
import type { AppId } from "../Ids.ts"

/** An OAuth client with access to a user's account, by consent or active grants, as shown to the user. */
export interface AppWithAccess {
  readonly id: AppId
  readonly name: string
  /** The scopes of all its consents and grants, sorted alphabetically. */
  readonly scopes: ReadonlyArray<string>
  /** When the user first gave the client access, as far as is known. */
  readonly since: DateTime.Utc
  /** When the client last received tokens, or null if it has none now. */
  readonly lastUsedAt: DateTime.Utc | null
}
