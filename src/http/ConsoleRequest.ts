import { Context } from "effect"
import type { RequestOrigin } from "#domain/Event"

/** A management request that came through the console. */
export interface ConsoleRequest extends ConsoleCredential {
  /** The browser, which events record. A console user can't state another one (SEC-291). */
  readonly origin: RequestOrigin
}

/** How a console request is authenticated. */
export interface ConsoleCredential {
  /** The secret in the session cookie, if the browser sent one. */
  readonly secret: string | undefined
}

/** Set if the request came through the console; undefined if it is authenticated by its API key. */
export const ConsoleRequest = Context.Reference<ConsoleRequest | undefined>("sallyport/http/ConsoleRequest", {
  defaultValue: () => undefined
})
