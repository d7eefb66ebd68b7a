import { Duration } from "effect"
import type { TrustedDeviceSecrets } from "#core/provisioning/TrustedDevices"
import { hostCookie } from "./HostCookie.ts"

/** The cookie that shows which users trust this browser, so that their password logins skip the second factor (C310). */
const cookie = hostCookie("trusted_device")

/** Returns the secrets in the cookie, newest last. */
export const trustedDevicesIn = (request: Parameters<typeof cookie.read>[0]): ReadonlyArray<string> =>
  (cookie.read(request) ?? "").split(".")

/** Sets the cookie. */
export const setTrustedDevice = (origin: string, { secrets, seconds }: TrustedDeviceSecrets) =>
  cookie.write(origin, secrets.join("."), Duration.seconds(seconds))
