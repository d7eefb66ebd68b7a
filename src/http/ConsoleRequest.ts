import { Context } from "effect"

/** How a management request that came through the console is authenticated. */
export interface ConsoleRequest {
  /** The secret in the cookie, if the browser sent one. */
  readonly secret: string | undefined
}

/** Undefined: the request did not come through the console and is authenticated by its API key. */
export const ConsoleRequest = Context.Reference<ConsoleRequest | undefined>("sallyport/http/ConsoleRequest", {
  defaultValue: () => undefined
})
