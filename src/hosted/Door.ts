import type { Effect } from "effect"
import type { CurrentRealm } from "#domain/Realm"
import type { PageWord } from "./Errors.ts"
import type { Filled } from "./Form.ts"
import type { Page } from "./pages/Layout.ts"
import type { Visit } from "./Reader.ts"

/** What a link of a mail leads to. Mail scanners follow links too, so that showing changes nothing. */
export interface Door {
  /** Shows what the token of the link would do. */
  show(visit: Visit, token: string, query: Filled): Effect.Effect<Page, PageWord, CurrentRealm>
  /** Does it. */
  act(visit: Visit, token: string, form: Filled): Effect.Effect<Page, PageWord, CurrentRealm>
}
