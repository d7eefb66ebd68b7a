// The mail thread loads this file at every start: keep its imports few.
import { type AccountMail, accountMail, accountMails, isAccountMail } from "./AccountNotice.ts"
import type { EventType } from "./Event.ts"

/** The notice sent to the current address when a change of address is requested (SEC-90). */
export const EMAIL_CHANGE_NOTICE = "user.email.updating:current"

const eventMails = [
  "invitation.org.invited",
  "invitation.preverify.invited",
  "invitation.referral.invited",
  "invitation.request.invited",
  "user.email.verifying",
  "user.email.updating",
  EMAIL_CHANGE_NOTICE,
  "user.password.resetting",
  "user.email_code.requested"
] as const satisfies ReadonlyArray<EventType | typeof EMAIL_CHANGE_NOTICE>

/** The email that invites an operator. Only the system realm has it. */
export const OPERATOR_INVITATION = "operator.invited"

/** The email about a scheduled deletion of an account, with a link to keep it. Realms get it with `account_deletion_days`. */
export const DELETION_MAIL = "user.deletion.scheduled" as const

/** The emails of realms other than the system realm. */
export type RealmMailName = (typeof eventMails)[number] | typeof DELETION_MAIL | AccountMail

export type DefaultMailName = RealmMailName | typeof OPERATOR_INVITATION

/**
 * The emails every realm starts with (C39, C152), each named after its event. `user.email.updating` has two emails, and
 * notices about login methods are named after the change.
 */
export const defaultMails: ReadonlyArray<RealmMailName> = [...eventMails, ...accountMails]

/** All emails that a realm can have. */
export const realmMails: ReadonlyArray<RealmMailName> = [...defaultMails, DELETION_MAIL]

/** The emails to operators. */
export const systemMails: ReadonlyArray<DefaultMailName> = [
  OPERATOR_INVITATION,
  ...defaultMails.filter((name) => !name.startsWith("invitation."))
]

/** The event type that triggers a default email. */
export const eventTypeOfMail = (name: DefaultMailName): EventType => {
  if (name === EMAIL_CHANGE_NOTICE) return "user.email.updating"
  if (name === accountMail("password_reset")) return "user.password_token.consumed"
  return isAccountMail(name) ? "user.updated" : name
}
