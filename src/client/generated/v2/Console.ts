// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { ConsoleSettings } from "../types/ConsoleSettings.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `PUT /v2/console`. */
export interface UpdateConsole {
  /** Whether API keys may log in to the console. Only an owner can turn it off. */
  readonly api_keys: boolean
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The settings of the console at `/console`. */
export interface Console<F extends Form> {
  /**
   * Get the console's settings.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  get(options?: CallOptions): Answer<F, ConsoleSettings>
  /**
   * Change the console's settings.
   *
   * If API keys may no longer log in, their sessions in the console end. Only an owner who is logged in to the console
   * can turn this off; an API key gets 422. Event: `console.updated`.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  update(console: UpdateConsole, options?: CallOptions): Answer<F, ConsoleSettings>
}

/** Creates the resource's functions from a function that calls the API. */
export const console = <F extends Form>(call: Call<F>): Console<F> => ({
  get: (options) => call.one({ route: "GET /v2/console" }, [], undefined, options),
  update: (console, options) => call.one({ route: "PUT /v2/console", wrapper: "console" }, [], console, options)
})
