import type { HookPayload } from "#api/hooks/Fields"
import type { HookType } from "#domain/AppHook"
import type { AppHookInput } from "#domain/AppHookInput"
import { omitUndefined } from "../WireMapping.ts"

/** A new hook as a caller sends it: beside its settings, its type and its realm. */
export type NewHookPayload = HookPayload & {
  readonly hook_type?: HookType | null
  readonly realm_id?: string | null
}

/** The settings that a caller sent of a hook. */
export const hookInput = (sent: HookPayload): AppHookInput =>
  omitUndefined({
    state: sent.state,
    eventTypes: sent.event_type,
    delay: sent.delay,
    destination: sent.destination,
    emailFrom: sent.email_from,
    emailFromName: sent.email_from_name,
    emailRenderer: sent.email_renderer,
    emailSubject: sent.email_subject,
    emailTemplate: sent.email_template,
    emailTo: sent.email_to,
    userType: sent.user_type
  })
