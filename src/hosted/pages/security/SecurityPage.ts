import { Effect } from "effect"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import type { LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { queryOf } from "../../HostedPage.ts"
import { type AppRequest, isRead } from "../../RequestShell.ts"
import { accountPage, type RejectedForm } from "../account/AccountPage.ts"
import { apps } from "./Apps.ts"
import { deletion } from "./Deletion.ts"
import { devices } from "./Devices.ts"
import { passkeys } from "./Passkeys.ts"
import { password } from "./Password.ts"
import { providers } from "./Providers.ts"
import { recoveryCodes } from "./RecoveryCodes.ts"
import { securityView } from "./SecurityView.ts"
import { sessions } from "./Sessions.ts"
import { trustedDevices } from "./TrustedDevices.ts"

/** `/security` shows users how and where they log in, and lets them make changes. */
export const securityPage = Effect.gen(function* () {
  const account = yield* AccountPasskeys
  // The sections in the order of display.
  const sections = [
    yield* password,
    yield* passkeys,
    yield* devices,
    yield* recoveryCodes,
    yield* providers,
    yield* trustedDevices,
    yield* sessions,
    yield* apps,
    yield* deletion
  ]

  const view = Effect.fnUntraced(function* (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    refused: RejectedForm | undefined
  ) {
    const shown = yield* Effect.forEach(sections, ({ show, actions }) => {
      const isOwn = refused !== undefined && Object.hasOwn(actions, refused.way)
      return show(request, browserUser, isOwn ? refused : undefined)
    })
    return securityView(request.context, {
      user: browserUser.user,
      saved: isRead(request.http) ? queryOf(request)("saved") : undefined,
      sections: shown,
      hasErrors: refused !== undefined,
      passkeys: yield* account.accepted(browserUser.user)
    })
  })

  const actions = Object.fromEntries(sections.flatMap((section) => Object.entries(section.actions)))
  return yield* accountPage({ name: "security", actions, view })
})
