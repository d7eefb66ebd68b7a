import type { DateTime } from "effect"
import type { AppId } from "../Ids.ts"

/** An OAuth client with access to a user's account, as the user sees it: by consent, or by grants that still work. */
export interface AppWithAccess {
  readonly id: AppId
  readonly name: string
  /** The scopes of all its consents and grants, in alphabetical order. */
  readonly scopes: ReadonlyArray<string>
  /** When the user first gave it access, if still known. */
  readonly since: DateTime.Utc
  /** When tokens were last issued to it. Null: it has none now. */
  readonly lastUsedAt: DateTime.Utc | null
}
