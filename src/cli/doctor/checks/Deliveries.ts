import { Clock, Effect } from "effect"
import type { Backlog } from "#server/inspection/DatabaseInspection"
import { counted, type Finding, ok, skipped, warning } from "../Finding.ts"
import { isFinding } from "../Stored.ts"
import type { Check } from "../Subject.ts"

/** How old the oldest may be before somebody should look, in minutes: the alerts of the guide begin there, too. */
const OLD = 30

const MINUTE = 60_000

const nouns = { email: "mail", webhook: "webhook" } as const

const todo =
  "GET /v2/events shows of each what was answered last (notifications). Mails that a hook delays on purpose wait, too."

export const deliveriesFindings = (backlog: ReadonlyArray<Backlog>, now: number): ReadonlyArray<Finding> => {
  if (backlog.length === 0) return [ok("No mail and no webhook waits.")]
  return backlog.map(({ hookType, waiting, oldest }) => {
    const minutes = Math.max(0, Math.floor((now - oldest.epochMilliseconds) / MINUTE))
    const says = `${counted(waiting, nouns[hookType])} ${waiting === 1 ? "waits" : "wait"}, the oldest for ${counted(minutes, "minute")}.`
    return minutes > OLD ? warning(says, todo) : ok(says)
  })
}

/** Whether mails and webhooks are delivered in time. */
export const deliveries: Check = {
  name: "deliveries",
  place: "settings",
  run: ({ stored }) =>
    Effect.gen(function* () {
      const found = yield* stored
      // The check of the stored secrets has said why nothing can be read.
      if (isFinding(found)) return []
      if (found.backlog === undefined) return skipped("The database did not answer in time.")
      return deliveriesFindings(found.backlog, yield* Clock.currentTimeMillis)
    })
}
