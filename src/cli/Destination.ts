import type { Fetch } from "#client/Fetch"

/** Where a request was sent, and the means to send another. */
export interface Destination {
  readonly url: string
  readonly key: string
  readonly send: Fetch
}
