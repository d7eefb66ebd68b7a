import type { Effect } from "effect"
import type { UserId } from "#domain/Ids"
import type { CurrentRealm } from "#domain/Realm"
import type { PageWord } from "./Errors.ts"
import type { Filled } from "./Form.ts"
import type { Page } from "./markup/Document.ts"
import type { Visit } from "./PageContext.ts"

/** Who has come by the link of a mail. */
export interface Comer {
  readonly token: string
  /** The user whose session the browser holds; on the pages of a realm as such no browser holds any. */
  readonly holder: UserId | undefined
}

/** What a link of a mail leads to. Mail scanners follow links too, so that showing changes nothing. */
export interface Door {
  /** Shows what the token of the link would do. */
  show(visit: Visit, comer: Comer, query: Filled): Effect.Effect<Page, PageWord, CurrentRealm>
  /** Does it. */
  act(visit: Visit, comer: Comer, form: Filled): Effect.Effect<Page, PageWord, CurrentRealm>
}
