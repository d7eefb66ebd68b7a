import type { Fetch } from "#client/Fetch"

/** Where a request went, and how another one gets there. */
export interface Destination {
  readonly url: string
  readonly key: string
  readonly send: Fetch
}
