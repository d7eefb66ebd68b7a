import type { DateTime } from "effect"
import type { AppId } from "../Ids.ts"

/** An OAuth client that may use a user's account, as the user sees it: by a consent, or by grants that still work. */
export interface AppWithAccess {
  readonly id: AppId
  readonly name: string
  /** What it may do, all consents and grants together, in alphabetical order. */
  readonly scopes: ReadonlyArray<string>
  /** When the user first let it, as far as that is still known. */
  readonly since: DateTime.Utc
  /** When tokens were last issued to it. Null: it has none now. */
  readonly lastUsedAt: DateTime.Utc | null
}
