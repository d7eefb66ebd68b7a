import { DateTime, Effect } from "effect"
import type { HookPayload } from "#api/hooks/Fields"
import type { HookType } from "#domain/AppHook"
import type { AppHookInput } from "#domain/AppHookInput"
import { matchingTypes, type Version } from "#domain/Event"
import { Rejected } from "#domain/Rejected"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { eventTypeProblems } from "../events/Requests.ts"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** A new hook as sent by a caller: its settings, type and realm. */
export type NewHookPayload = HookPayload & {
  readonly hook_type?: HookType | null
  readonly realm_id?: string | null
}

/** The hook settings in a request. */
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

/** Selects the deliveries to repeat, by time, state and event type. */
export const replayRange = Effect.fnUntraced(function* (
  { since, until, state, event_type }: EndpointRequest<"v2.hooks", "replay">["payload"],
  version: Version
) {
  const prefixes = event_type ?? []
  const problems = eventTypeProblems(prefixes)
  if (problems.length > 0) return yield* new Rejected({ problems })
  return {
    since: utcFromTimeT(since),
    until: typeof until === "number" ? utcFromTimeT(until) : yield* DateTime.now,
    states: state === "all" ? (["failed", "canceled", "completed"] as const) : (["failed"] as const),
    waiting: state === "all" || state === "undelivered",
    eventTypes: prefixes.length === 0 ? undefined : matchingTypes(version, prefixes)
  }
})
