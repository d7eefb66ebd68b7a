// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { RequestAttributes } from "./RequestAttributes.ts"

/** A trusted device. */
export interface TrustedDevice {
  /** The type of the object: always `trusted_device`. */
  readonly object: "trusted_device"
  /** Unix time in seconds at which the user trusted the device. */
  readonly created_at: number
  /** Unix time in seconds at which the trust ends. */
  readonly expires_at: number
  /** The IP address and the browser of the login in which the user trusted the device; null if unknown. */
  readonly request: RequestAttributes | null
}
