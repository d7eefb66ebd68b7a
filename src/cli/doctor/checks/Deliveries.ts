import { Clock, Effect } from "effect"
import type { Backlog, FailingHook } from "#server/inspection/DatabaseInspection"
import { visible } from "../../Visible.ts"
import { counted, type Finding, ok, skipped, warning } from "../Finding.ts"
import { isFinding } from "../Stored.ts"
import type { Check } from "../Subject.ts"

/** The age of the oldest delivery at which to report it, in minutes. The alerts in the guide use the same threshold. */
const OLD_MINUTES = 30

const MINUTE = 60_000

const nouns = { email: "email", webhook: "webhook" } as const

const todo =
  "GET /v2/events shows the last response of each delivery (notifications). This includes emails that a hook delays on purpose."

/** The maximum length of a response excerpt, in characters. */
const MAX_RESPONSE_LENGTH = 100

/** Describes a failing hook with its last response. */
const failingText = ({ hookId, waiting, lastDestination, lastResult }: FailingHook): string => {
  const [answer = ""] = (lastResult ?? "").split("\n")
  const to = lastDestination === null ? "" : ` to ${lastDestination}`
  return `${waiting} of ${hookId}${to}, last response: ${visible(answer.slice(0, MAX_RESPONSE_LENGTH)).replace(/\.$/, "")}`
}

/** Advice for sending the waiting deliveries once the cause is fixed. */
const sendNow = ([first]: ReadonlyArray<FailingHook>) =>
  first === undefined
    ? todo
    : `Once the cause is fixed, run sallyport hooks replay ${first.hookId} --since 2d to send them immediately.`

export const deliveriesFindings = (
  backlog: ReadonlyArray<Backlog>,
  failing: ReadonlyArray<FailingHook>,
  now: number
): ReadonlyArray<Finding> => {
  if (backlog.length === 0) return [ok("No pending emails or webhooks.")]
  return backlog.map(({ hookType, waiting, oldest }) => {
    const minutes = Math.max(0, Math.floor((now - oldest.epochMilliseconds) / MINUTE))
    const hooks = failing.filter((hook) => hook.hookType === hookType)
    const which = hooks.length === 0 ? "" : ` Some have failed before: ${hooks.map(failingText).join("; ")}.`
    const says = `${counted(waiting, nouns[hookType])} ${waiting === 1 ? "is" : "are"} pending, the oldest for ${counted(minutes, "minute")}.${which}`
    return minutes > OLD_MINUTES ? warning(says, sendNow(hooks)) : ok(says)
  })
}

/** Checks whether emails and webhooks are delivered in time. */
export const deliveries: Check = {
  name: "deliveries",
  place: "settings",
  run: ({ stored }) =>
    Effect.gen(function* () {
      const found = yield* stored
      // The check of stored secrets already reports why nothing can be read.
      if (isFinding(found)) return []
      if (found.backlog === undefined) return skipped("The database did not respond in time.")
      return deliveriesFindings(found.backlog, found.failingHooks, yield* Clock.currentTimeMillis)
    })
}
