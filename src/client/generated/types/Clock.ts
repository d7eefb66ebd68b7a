// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Event } from "./Event.ts"

/** A clock. */
export interface Clock {
  /** The type of the object: always `clock`. */
  readonly object: "clock"
  /** The time of the service: Unix time in seconds, with up to three decimals. */
  readonly now: number
  /** The events recorded while the clock was advanced, in order. Only in the response to advancing it. */
  readonly events?: ReadonlyArray<Event>
}
