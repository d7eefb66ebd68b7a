import { Context, DateTime } from "effect"
import type { CredentialDetails, CredentialType } from "./Credential.ts"
import type { RealmId, UserId } from "./Ids.ts"

/** A browser in which a user's password logins skip the second factor. `id` is the digest of the secret in its cookie. */
export interface TrustedDevice {
  readonly id: string
  readonly realmId: RealmId
  readonly userId: UserId
  readonly requestIp: string | null
  readonly requestClient: string | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** The trusted-device secrets from the cookie of the current request, newest last. Empty if no browser is involved. */
export const PresentedDevices = Context.Reference<ReadonlyArray<string>>("sallyport/domain/PresentedDevices", {
  defaultValue: () => []
})

/** The changes of a user's second factors that end the trust in all their devices. */
const trustEndingTypes: Readonly<Record<"added" | "removed", ReadonlySet<CredentialType>>> = {
  // The offer of a passkey follows the login in which the user has just trusted the device.
  added: new Set<CredentialType>(["totp", "recovery_codes"]),
  removed: new Set<CredentialType>(["totp", "recovery_codes", "passkey"])
}

/** Returns whether adding or removing a credential ends the trust in the user's devices. */
export const endsTrust = (
  { credentialType, state }: Pick<CredentialDetails, "credentialType" | "state">,
  change: "added" | "removed"
): boolean => state !== "new" && trustEndingTypes[change].has(credentialType)

/**
 * The earliest time of a trust that still counts. A realm that shortens `trusted_devices_days` shortens the trust in existing
 * devices, too.
 */
export const trustedSince = (days: number, now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, { days })

/** When the trust in a device ends: after the days at the time, or after the realm's days now, if these are fewer. */
export const trustEnd = ({ createdAt, expiresAt }: TrustedDevice, days: number): DateTime.Utc =>
  DateTime.min(expiresAt, DateTime.add(createdAt, { days }))
