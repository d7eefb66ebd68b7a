import type { Effect } from "effect"
import type { LoggedInVisitor } from "#core/sessions/BrowserSessions"
import type { CurrentRealm } from "#domain/Realm"
import type { Html } from "#platform/Html"
import type { AppRequest } from "../../RequestShell.ts"
import type { AccountAction, RejectedForm } from "../account/AccountPage.ts"

/** A section of the security page, with its content and its forms. */
export interface SecuritySection {
  /**
   * Returns the content, or undefined if the section is empty, for example because the realm has turned the feature off.
   * `refused` is a rejected form of this section.
   */
  readonly show: (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    refused: RejectedForm | undefined
  ) => Effect.Effect<Html | undefined, never, CurrentRealm>
  /** The handlers of the forms, keyed by `way`, which is unique across all sections. */
  readonly actions: Readonly<Record<string, AccountAction>>
}
