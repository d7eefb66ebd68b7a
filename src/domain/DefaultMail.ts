// The mail thread loads this file: what it imports would be loaded at each of its starts.
import type { EventType } from "./Event.ts"

/** The mail that tells the current address of an account that a change of address was requested (SEC-90). */
export const EMAIL_CHANGE_NOTICE = "user.email.updating:current"

/** The mails every realm starts with (C39), named by their event. `user.email.updating` has two. */
export const defaultMails = [
  "invitation.org.invited",
  "invitation.preverify.invited",
  "invitation.referral.invited",
  "invitation.request.invited",
  "user.email.verifying",
  "user.email.updating",
  EMAIL_CHANGE_NOTICE,
  "user.password.resetting"
] as const satisfies ReadonlyArray<EventType | typeof EMAIL_CHANGE_NOTICE>

export type DefaultMailName = (typeof defaultMails)[number]

/** The event type that triggers a default mail. */
export const eventTypeOfMail = (name: DefaultMailName): EventType =>
  name === EMAIL_CHANGE_NOTICE ? "user.email.updating" : name
