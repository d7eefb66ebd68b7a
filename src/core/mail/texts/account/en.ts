import type { AccountMail } from "#domain/AccountNotice"
import type { DefaultMail } from "../DefaultMail.ts"

/** Makes an email about a change, with advice for an account owner who didn't make the change. */
const notice = (subject: string, change: string, remedy: string) => (): DefaultMail => ({
  subject,
  template: `Hi,

${change}

- When: {{event_at}}
- IP address: {{ip}}

**Was this you?** Then there's nothing you need to do.

**If it wasn't,** ${remedy}

[Reset your password]({{url}} "button")
`
})

const reset = "reset your password now. This logs everyone else out of your account."
const undo = (what: string) =>
  `reset your password now. Then log in, open the security page of your account and ${what}.`

/** The English emails to account owners about changes of login methods. */
export const accountMails: Readonly<Record<AccountMail, () => DefaultMail>> = {
  "account.password_changed": notice(
    "Your {{app_name}} password was changed",
    "The password for your **{{app_name}}** account {{email}} was changed.",
    reset
  ),
  "account.password_reset": notice(
    "Your {{app_name}} password was reset",
    "A new password was set for your **{{app_name}}** account {{email}}, with a link that we sent to this address.",
    `${reset} Check who else can read your email, too.`
  ),
  "account.passkey_added": notice(
    "A passkey was added to your {{app_name}} account",
    "A passkey was added to your **{{app_name}}** account {{email}}. It can now be used to log in.",
    undo("remove the passkey")
  ),
  "account.passkey_removed": notice(
    "A passkey was removed from your {{app_name}} account",
    "A passkey was removed from your **{{app_name}}** account {{email}}. It can no longer be used to log in.",
    reset
  ),
  "account.second_factor_added": notice(
    "Two-step verification was added to your {{app_name}} account",
    "An authenticator app was added to your **{{app_name}}** account {{email}}. Logging in now takes a code from it.",
    undo("remove the authenticator app. If you can't log in without its code, contact support")
  ),
  "account.second_factor_removed": notice(
    "An authenticator app was removed from your {{app_name}} account",
    "An authenticator app was removed from your **{{app_name}}** account {{email}}. Its codes no longer work.",
    reset
  ),
  "account.recovery_codes_created": notice(
    "New recovery codes for your {{app_name}} account",
    "New recovery codes were created for your **{{app_name}}** account {{email}}. Older ones no longer work.",
    undo("create new recovery codes")
  ),
  "account.provider_linked": notice(
    "A service was connected to your {{app_name}} account",
    "An account with another service was connected to your **{{app_name}}** account {{email}}. It can now be used to log in.",
    undo("disconnect the service")
  ),
  "account.provider_unlinked": notice(
    "A service was disconnected from your {{app_name}} account",
    "An account with another service was disconnected from your **{{app_name}}** account {{email}}. It can no longer be used to log in.",
    reset
  )
}
