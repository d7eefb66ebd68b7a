import { Effect } from "effect"
import { AccountProofs } from "#core/account/AccountProofs"
import { AccountSettings } from "#core/account/AccountSettings"
import { formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { codeIn } from "../../Form.ts"
import { secondFactorCodeIn } from "../../flow/SecondStep.ts"
import { redirectTo, showView } from "../../HostedPage.ts"
import { type AccountAction, redirectToSavedOn } from "../account/AccountPage.ts"
import { accountProof } from "../account/AccountProof.ts"
import { deviceSetupView } from "./DeviceSetupView.ts"
import { devicesSection } from "./DevicesView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section with the user's authenticator apps. */
export const devices = Effect.gen(function* () {
  const account = yield* AccountSettings
  const proofs = yield* AccountProofs
  const requireProof = yield* accountProof

  const add: AccountAction = (request, browserUser, form) =>
    Effect.gen(function* () {
      yield* requireProof(request, browserUser, form)
      const device = yield* account.addDevice(browserUser.user, form("device_name"))
      return showView(deviceSetupView(request.context, device))
    })

  const activate: AccountAction = (request, browserUser, form) => {
    const { context } = request
    const { user } = browserUser
    const activated = Effect.andThen(
      proofs.requireRecent(browserUser),
      Effect.flatMap(codeIn(form), (code) => account.activate(browserUser, form("device"), code))
    )
    return Effect.as(activated, redirectToSaved(request, "device")).pipe(
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) =>
        Effect.map(account.newDevice(user, form("device")), (device) => {
          const refusal = formRefusalOf(context, failure)
          return showView(withRefusalStatus(refusal, deviceSetupView(context, device, refusal.errors)))
        })
      ),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(redirectTo(request, "security")))
    )
  }

  const remove: AccountAction = (request, { user }, form) =>
    secondFactorCodeIn(form).pipe(
      Effect.flatMap((code) => account.removeDevice(user, form("device"), code)),
      Effect.as(redirectToSaved(request, "removed")),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(redirectTo(request, "security")))
    )

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }, refused) {
      const { supportsTotp, devices } = yield* account.overview(user)
      if (!supportsTotp) return undefined
      const typed =
        refused?.way === "remove" ? { removing: refused.form("device") } : { deviceName: refused?.form("device_name") }
      return devicesSection(
        context,
        {
          devices,
          asksPassword: yield* proofs.acceptsPassword(user),
          username: user.email ?? user.username ?? "",
          ...typed
        },
        refused?.errors ?? []
      )
    }),
    actions: { add, activate, remove }
  }
  return section
})
