import { Effect } from "effect"
import { TrustedDevices } from "#core/provisioning/TrustedDevices"
import { type AccountAction, redirectToSavedOn, userGone } from "../account/AccountPage.ts"
import type { SecuritySection } from "./SecuritySection.ts"
import { trustedDevicesSection } from "./TrustedDevicesView.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section with the devices that the user trusts. Empty if there are none. */
export const trustedDevices = Effect.gen(function* () {
  const own = yield* TrustedDevices

  // A device that is gone in the meantime, or belongs to another user, isn't trusted by this user either way.
  const remove: AccountAction = (request, { user }, form) =>
    own
      .remove(user, form("device"))
      .pipe(Effect.as(redirectToSaved(request, "untrusted")), Effect.catchTag("RealmNotFound", userGone))

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }) {
      const devices = yield* own.list(user)
      return devices.length === 0 ? undefined : trustedDevicesSection(context, devices)
    }),
    actions: { untrust: remove }
  }
  return section
})
