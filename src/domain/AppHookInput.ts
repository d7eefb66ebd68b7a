import {
  type AppHook,
  type EmailHook,
  type EmailRenderer,
  type HookState,
  isMailable,
  MOST_DELAY,
  TEMPLATE_LENGTH,
  type Webhook
} from "./AppHook.ts"
import { canonicalEmail } from "./Email.ts"
import { type EventType, eventName, type Version, visibleTypes } from "./Event.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"
import { URL_LENGTH } from "./WebUrl.ts"

/** The settings of a hook as a caller typed them, of both types: those of the other type mean nothing. Null is none. */
export interface AppHookInput {
  readonly state?: HookState
  /** Names of either version. */
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

/** The type that a name means, in either version's words, among those a version's callers see (decision 16). */
const typeOf = (name: string, version: Version): EventType | undefined =>
  visibleTypes(version).find((type) => type === name || eventName(type, "v1") === name)

const typesOf = (names: ReadonlyArray<string>, version: Version): ReadonlyArray<EventType> => [
  ...new Set(names.flatMap((name) => typeOf(name, version) ?? []))
]

/** One line, as a header has it. */
const LINE_BREAK = /[\p{Cc}\u2028\u2029]/u

type Typed = string | null | undefined

const optional = (typed: Typed, before: string | null): string | null =>
  typed === undefined ? before : (presence(typed)?.trim() ?? null)

/** As it was typed: a template's blanks mean something. */
const template = (typed: Typed, before: string | null): string | null =>
  typed === undefined ? before : presence(typed)

/** The address in its one form; what is none stays as it is, to be refused. */
const address = (typed: Typed, before: string | null): string | null => {
  const text = optional(typed, before)
  return text === null ? null : (canonicalEmail(text) ?? text)
}

const commonWith = (before: AppHook, typed: AppHookInput, version: Version) => ({
  state: typed.state ?? before.state,
  eventTypes: typed.eventTypes === undefined ? before.eventTypes : typesOf(typed.eventTypes, version),
  delay: typed.delay === undefined ? before.delay : (typed.delay ?? 0)
})

const webhookWith = (before: Webhook, typed: AppHookInput, version: Version): Webhook => ({
  ...before,
  ...commonWith(before, typed, version),
  destination: typed.destination === undefined ? before.destination : (typed.destination ?? "").trim()
})

const emailHookWith = (before: EmailHook, typed: AppHookInput, version: Version): EmailHook => ({
  ...before,
  ...commonWith(before, typed, version),
  emailFrom: address(typed.emailFrom, before.emailFrom),
  emailFromName: optional(typed.emailFromName, before.emailFromName),
  emailRenderer: typed.emailRenderer === undefined ? before.emailRenderer : (typed.emailRenderer ?? "markdown"),
  emailSubject: optional(typed.emailSubject, before.emailSubject),
  emailTemplate: template(typed.emailTemplate, before.emailTemplate),
  emailTo: address(typed.emailTo, before.emailTo),
  userType: typed.userType === undefined ? before.userType : (typed.userType ?? "all")
})

/** A hook with what a version's caller typed of the settings that its type has. */
export const hookWith = (before: AppHook, typed: AppHookInput, version: Version): AppHook =>
  before.hookType === "webhook" ? webhookWith(before, typed, version) : emailHookWith(before, typed, version)

const eventTypeProblems = (after: AppHook, { eventTypes }: AppHookInput, version: Version): ReadonlyArray<Problem> => {
  // Those it has already stay allowed: a default mail's type is none that a caller of v1 could choose.
  if (eventTypes?.some((name) => typeOf(name, version) === undefined)) return [problem("event_type", "inclusion")]
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
  return isWithin(TEMPLATE_LENGTH, text) ? [] : [problem("email_template", "too_long", { maximum: TEMPLATE_LENGTH })]
}

const neededProblems = (hook: EmailHook): ReadonlyArray<Problem> => {
  if (hook.defaultOf !== null) return []
  return [
    ...(hook.emailSubject === null ? [problem("email_subject", "blank")] : []),
    ...(hook.emailTemplate === null ? [problem("email_template", "blank")] : [])
  ]
}

/**
 * Every rule that a hook as it would be breaks, given what was typed of it. `destinationProblem`: what is wrong with an
 * address that we are to reach.
 */
export const hookProblems = (
  after: AppHook,
  typed: AppHookInput,
  version: Version,
  destinationProblem: (url: string) => Problem["code"] | undefined
): ReadonlyArray<Problem> => {
  const common = [
    ...eventTypeProblems(after, typed, version),
    ...(after.delay >= 0 && after.delay <= MOST_DELAY
      ? []
      : [problem("delay", "range", { least: 0, most: MOST_DELAY })])
  ]
  if (after.hookType === "email") {
    return [
      ...common,
      ...neededProblems(after),
      ...lineProblems("email_subject", after.emailSubject),
      ...templateProblems(after.emailTemplate),
      ...addressProblems("email_from", after.emailFrom),
      ...lineProblems("email_from_name", after.emailFromName),
      ...addressProblems("email_to", after.emailTo)
    ]
  }
  if (after.destination === "") return [...common, problem("destination", "blank")]
  if (typed.destination === undefined) return common
  if (!isWithin(URL_LENGTH, after.destination)) {
    return [...common, problem("destination", "too_long", { maximum: URL_LENGTH })]
  }
  const code = destinationProblem(after.destination)
  return code === undefined ? common : [...common, problem("destination", code)]
}
