// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { TrustedDevice } from "./TrustedDevice.ts"

/** A trusted devices. */
export interface TrustedDevices {
  /** The type of the object: always `trusted_devices`. */
  readonly object: "trusted_devices"
  /** The user's ID. */
  readonly user_id: string
  /**
   * The devices that the user trusts, newest first, at most 20. Empty if the realm's `trusted_devices_days` is null.
   */
  readonly trusted_devices: ReadonlyArray<TrustedDevice>
}
