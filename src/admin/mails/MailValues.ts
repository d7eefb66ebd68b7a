import type { EventType } from "#client/generated/types/EventType"
import { orNull } from "../calls/Changes.ts"
import type { MailHook } from "./MailEvents.ts"

/** An email template as form values. */
export interface MailValues {
  readonly event_type: EventType
  readonly state: "active" | "inactive"
  readonly email_subject: string
  readonly email_template: string
  readonly email_renderer: MailHook["email_renderer"]
  readonly email_from: string
  readonly email_from_name: string
  readonly email_to: string
  readonly user_type: MailHook["user_type"]
  readonly delay: number
}

export const newMail: MailValues = {
  event_type: "user.created",
  state: "active",
  email_subject: "Welcome to {{app_name}}, {{first_name}}",
  email_template: "Hi {{first_name}},\n\nyour account **{{email}}** is ready.\n",
  email_renderer: "markdown",
  email_from: "",
  email_from_name: "",
  email_to: "",
  user_type: "all",
  delay: 0
}

export const valuesOf = (hook: MailHook): MailValues => ({
  event_type: hook.event_type[0] ?? newMail.event_type,
  state: hook.state,
  email_subject: hook.email_subject ?? "",
  email_template: hook.email_template ?? "",
  email_renderer: hook.email_renderer,
  email_from: hook.email_from ?? "",
  email_from_name: hook.email_from_name ?? "",
  email_to: hook.email_to ?? "",
  user_type: hook.user_type,
  delay: hook.delay
})

/** Converts form values to the input of a call. Templates are sent exactly as typed. */
export const inputOf = (values: Partial<MailValues>) => {
  const { event_type, email_subject, email_template, email_from, email_from_name, email_to, ...same } = values
  return {
    ...same,
    ...(event_type === undefined ? {} : { event_type: [event_type] }),
    ...(email_subject === undefined ? {} : { email_subject: orNull(email_subject) }),
    ...(email_template === undefined ? {} : { email_template: email_template.trim() === "" ? null : email_template }),
    ...(email_from === undefined ? {} : { email_from: orNull(email_from) }),
    ...(email_from_name === undefined ? {} : { email_from_name: orNull(email_from_name) }),
    ...(email_to === undefined ? {} : { email_to: orNull(email_to) })
  }
}
