import type { Effect } from "effect"
import type { ProvedUser } from "#core/sessions/BrowserSessions"
import type { CurrentRealm } from "#domain/Realm"
import type { Html } from "#platform/Html"
import type { AppRequest } from "../../RequestShell.ts"
import type { AccountAction, RefusedForm } from "../account/AccountPage.ts"

/** One section of the security page: what it shows, and what its forms do. */
export interface SecuritySection {
  /** Undefined: nothing, as where the realm has turned off what the section is about. `refused`: a form of this section. */
  readonly show: (
    request: AppRequest,
    browserUser: ProvedUser,
    refused: RefusedForm | undefined
  ) => Effect.Effect<Html | undefined, never, CurrentRealm>
  /** By the `way` of the form, which no other section has. */
  readonly actions: Readonly<Record<string, AccountAction>>
}
