import type { EventType } from "#client/generated/types/EventType"
import type { Hook } from "#client/generated/types/Hook"

/** The events that commonly have emails, in display order. */
export const mailEvents = [
  "user.password.resetting",
  "user.email.verifying",
  "user.email.updating",
  "user.email_code.requested",
  "user.deletion.scheduled",
  "user.password_token.consumed",
  "user.created",
  "user.updated",
  "invitation.org.invited",
  "invitation.preverify.invited",
  "invitation.referral.invited",
  "invitation.request.invited"
] as const satisfies ReadonlyArray<EventType>

export type MailEvent = (typeof mailEvents)[number]

export const isMailEvent = (type: string | undefined): type is MailEvent => mailEvents.some((one) => one === type)

/** A hook that sends emails. */
export type MailHook = Extract<Hook, { readonly hook_type: "email" }>

/** The display name of an event, or its type if it isn't a common one. */
export const eventName = (names: Readonly<Record<MailEvent, string>>, type: EventType | undefined): string =>
  isMailEvent(type) ? names[type] : (type ?? "")
