import { Schema } from "effect"
import { describe, objectType } from "../Description.ts"
import { RecordedRequest } from "../Wire.ts"

const TrustedDeviceBody = Schema.Struct({
  object: objectType("trusted_device"),
  created_at: describe(Schema.Finite, "Unix time in seconds at which the user trusted the device."),
  expires_at: describe(Schema.Finite, "Unix time in seconds at which the trust ends."),
  request: describe(
    Schema.NullOr(RecordedRequest),
    "The IP address and the browser of the login in which the user trusted the device; null if unknown."
  )
}).annotate({ identifier: "TrustedDevice" })

/** The devices that a user trusts (C310). */
export const TrustedDevicesBody = Schema.Struct({
  object: objectType("trusted_devices"),
  user_id: describe(Schema.String, "The user's ID."),
  trusted_devices: describe(
    Schema.Array(TrustedDeviceBody),
    "The devices that the user trusts, newest first, at most 20. Empty if the realm's `trusted_devices_days` is null."
  )
}).annotate({ identifier: "TrustedDevices" })
