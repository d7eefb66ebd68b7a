import { Context } from "effect"

/** How a management request that came through the console is authenticated. */
export interface ConsoleRequest {
  /** The secret in the session cookie, if the browser sent one. */
  readonly secret: string | undefined
}

/** Set if the request came through the console; undefined if it is authenticated by its API key. */
export const ConsoleRequest = Context.Reference<ConsoleRequest | undefined>("sallyport/http/ConsoleRequest", {
  defaultValue: () => undefined
})
