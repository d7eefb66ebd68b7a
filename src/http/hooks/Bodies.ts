import type { HookBody, HookItem, MailPreviewBody, PingBody } from "#api/hooks/Endpoints"
import type { HookWithSecret } from "#core/hooks/AppHooks"
import type { MailPreview } from "#core/hooks/MailPreviews"
import type { AppHook } from "#domain/AppHook"
import type { AttemptResult } from "#domain/Delivery"
import { eventName, type Version } from "#domain/Event"
import { timeT } from "../WireMapping.ts"

/** A hook in a list. */
export const hookItem = (hook: AppHook, version: Version): typeof HookItem.Type => ({
  id: hook.id,
  object: version === "v1" ? "app_hook" : "hook",
  realm_id: hook.realmId,
  state: hook.state,
  event_type: hook.eventTypes.map((type) => eventName(type, version)),
  hook_type: hook.hookType,
  destination: hook.hookType === "webhook" ? hook.destination : null
})

/** A complete hook, with its secret if the caller may see it. */
export const hookBody = ({ hook, secret }: HookWithSecret, version: Version): typeof HookBody.Type => {
  const common = {
    ...hookItem(hook, version),
    version: hook.version,
    delay: hook.delay,
    created_at: timeT(hook.createdAt)
  }
  if (hook.hookType === "webhook") return { ...common, hook_type: "webhook", secret }
  return {
    ...common,
    hook_type: "email",
    email_from: hook.emailFrom,
    email_from_name: hook.emailFromName,
    email_renderer: hook.emailRenderer,
    email_subject: hook.emailSubject,
    email_template: hook.emailTemplate,
    email_to: hook.emailTo,
    user_type: hook.userType
  }
}

/** The result of a ping. */
export const pingBody = ({ outcome, destination }: AttemptResult): typeof PingBody.Type => ({
  object: "ping",
  state: outcome._tag === "Delivered" ? "completed" : "failed",
  destination,
  result: "result" in outcome ? outcome.result : null
})

/** The email of an email hook, as it would be sent. */
export const mailPreviewBody = ({
  eventId,
  from,
  to,
  subject,
  text,
  html
}: MailPreview): typeof MailPreviewBody.Type => ({
  object: "mail_preview",
  event_id: eventId,
  from,
  to,
  subject,
  text,
  html
})
