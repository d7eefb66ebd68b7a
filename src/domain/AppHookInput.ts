import {
  type AppHook,
  type EmailHook,
  type EmailRenderer,
  type HookState,
  isMailable,
  MAX_DELAY_SECONDS,
  MAX_TEMPLATE_LENGTH,
  type Webhook
} from "./AppHook.ts"
import { canonicalEmail } from "./Email.ts"
import { type EventType, eventName, type Version, visibleTypes } from "./Event.ts"
import { withEventNoun } from "./EventNouns.ts"
import { nearestName } from "./NearestName.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"
import { URL_LENGTH } from "./WebUrl.ts"

/** The settings a caller can send for a hook of either type. Settings of the other type are ignored, and null clears a setting. */
export interface AppHookInput {
  readonly state?: HookState
  /** Event type names from either API version. */
  readonly eventTypes?: ReadonlyArray<string>
  readonly delay?: number | null
  readonly destination?: string | null
  readonly emailFrom?: string | null
  readonly emailFromName?: string | null
  readonly emailRenderer?: EmailRenderer | null
  readonly emailSubject?: string | null
  readonly emailTemplate?: string | null
  readonly emailTo?: string | null
  readonly userType?: EmailHook["userType"] | null
}

/** Finds an event type by its v1 or v2 name, among the types visible to the caller's version (C16). */
const typeOf = (name: string, version: Version): EventType | undefined =>
  visibleTypes(version).find((type) => type === name || eventName(type, "v1") === name)

/** The maximum number of characters of an unknown name to repeat in the error. */
const MAX_NAME_LENGTH = 64

/** The error for an unknown event type. It suggests the most similar name and lists all names visible in the version. */
const unknownTypeProblem = (name: string, version: Version): Problem => {
  const allowed = visibleTypes(version).map((type) => eventName(type, version))
  const corrected = withEventNoun(name)
  const nearest = allowed.includes(corrected) ? corrected : nearestName(name, allowed)
  return problem("event_type", "not_event_type", {
    event_type: name.slice(0, MAX_NAME_LENGTH).toWellFormed(),
    ...(nearest === undefined ? {} : { nearest }),
    allowed: allowed.join(", ")
  })
}

const typesOf = (names: ReadonlyArray<string>, version: Version): ReadonlyArray<EventType> => [
  ...new Set(names.flatMap((name) => typeOf(name, version) ?? []))
]

/** Header values must be a single line. */
const LINE_BREAK = /[\p{Cc}\u2028\u2029]/u

type TextInput = string | null | undefined

const optionalText = (input: TextInput, before: string | null): string | null =>
  input === undefined ? before : (nonBlank(input)?.trim() ?? null)

/** Not trimmed: whitespace in a template is significant. */
const templateText = (input: TextInput, before: string | null): string | null =>
  input === undefined ? before : nonBlank(input)

/** The address in canonical form. An invalid address is left unchanged for validation to report. */
const address = (input: TextInput, before: string | null): string | null => {
  const text = optionalText(input, before)
  return text === null ? null : (canonicalEmail(text) ?? text)
}

const applyCommonInput = (before: AppHook, input: AppHookInput, version: Version) => ({
  state: input.state ?? before.state,
  eventTypes: input.eventTypes === undefined ? before.eventTypes : typesOf(input.eventTypes, version),
  delay: input.delay === undefined ? before.delay : (input.delay ?? 0)
})

const applyWebhookInput = (before: Webhook, input: AppHookInput, version: Version): Webhook => ({
  ...before,
  ...applyCommonInput(before, input, version),
  destination: input.destination === undefined ? before.destination : (input.destination ?? "").trim()
})

const applyEmailHookInput = (before: EmailHook, input: AppHookInput, version: Version): EmailHook => ({
  ...before,
  ...applyCommonInput(before, input, version),
  emailFrom: address(input.emailFrom, before.emailFrom),
  emailFromName: optionalText(input.emailFromName, before.emailFromName),
  emailRenderer: input.emailRenderer === undefined ? before.emailRenderer : (input.emailRenderer ?? "markdown"),
  emailSubject: optionalText(input.emailSubject, before.emailSubject),
  emailTemplate: templateText(input.emailTemplate, before.emailTemplate),
  emailTo: address(input.emailTo, before.emailTo),
  userType: input.userType === undefined ? before.userType : (input.userType ?? "all")
})

/** Applies a caller's settings to a hook. */
export const applyHookInput = (before: AppHook, input: AppHookInput, version: Version): AppHook =>
  before.hookType === "webhook"
    ? applyWebhookInput(before, input, version)
    : applyEmailHookInput(before, input, version)

const eventTypeProblems = (after: AppHook, { eventTypes }: AppHookInput, version: Version): ReadonlyArray<Problem> => {
  // A hook may keep the types it already has, since a default email may use one that v1 callers cannot choose.
  const unknown = eventTypes?.find((name) => typeOf(name, version) === undefined)
  if (unknown !== undefined) return [unknownTypeProblem(unknown, version)]
  if (after.hookType === "webhook") return []
  const [type] = after.eventTypes
  if (type === undefined || after.eventTypes.length > 1) return [problem("event_type", "one_event_type")]
  return type === after.defaultOf || isMailable(type, version) ? [] : [problem("event_type", "not_mailable")]
}

const lineProblems = (field: string, text: string | null, maximum = TEXT_LENGTH): ReadonlyArray<Problem> => {
  if (text === null) return []
  if (!isStorable(text) || LINE_BREAK.test(text)) return [problem(field, "invalid")]
  return isWithin(maximum, text) ? [] : [problem(field, "too_long", { maximum })]
}

const addressProblems = (field: string, text: string | null): ReadonlyArray<Problem> =>
  text === null || canonicalEmail(text) !== undefined ? [] : [problem(field, "email_form")]

const templateProblems = (text: string | null): ReadonlyArray<Problem> => {
  if (text === null) return []
  if (!isStorable(text)) return [problem("email_template", "invalid")]
  return isWithin(MAX_TEMPLATE_LENGTH, text)
    ? []
    : [problem("email_template", "too_long", { maximum: MAX_TEMPLATE_LENGTH })]
}

const requiredProblems = (hook: EmailHook): ReadonlyArray<Problem> => {
  if (hook.defaultOf !== null) return []
  return [
    ...(hook.emailSubject === null ? [problem("email_subject", "blank")] : []),
    ...(hook.emailTemplate === null ? [problem("email_template", "blank")] : [])
  ]
}

/**
 * Validates a hook after a caller's settings were applied, and returns every broken rule. `destinationProblem` checks the
 * URL that webhooks are posted to.
 */
export const hookProblems = (
  after: AppHook,
  input: AppHookInput,
  version: Version,
  destinationProblem: (url: string) => Problem["code"] | undefined
): ReadonlyArray<Problem> => {
  const common = [
    ...eventTypeProblems(after, input, version),
    ...(after.delay >= 0 && after.delay <= MAX_DELAY_SECONDS
      ? []
      : [problem("delay", "range", { least: 0, most: MAX_DELAY_SECONDS })])
  ]
  if (after.hookType === "email") {
    return [
      ...common,
      ...requiredProblems(after),
      ...lineProblems("email_subject", after.emailSubject),
      ...templateProblems(after.emailTemplate),
      ...addressProblems("email_from", after.emailFrom),
      ...lineProblems("email_from_name", after.emailFromName),
      ...addressProblems("email_to", after.emailTo)
    ]
  }
  if (after.destination === "") return [...common, problem("destination", "blank")]
  if (input.destination === undefined) return common
  if (!isWithin(URL_LENGTH, after.destination)) {
    return [...common, problem("destination", "too_long", { maximum: URL_LENGTH })]
  }
  const code = destinationProblem(after.destination)
  return code === undefined ? common : [...common, problem("destination", code)]
}
