import type { Fetch } from "#client/Fetch"

/** The service that a request was sent to, with everything needed to send another request. */
export interface Destination {
  readonly url: string
  readonly key: string
  readonly send: Fetch
}
