import { Effect } from "effect"
import type { Settings } from "#server/Config"
import { type Finding, ok, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

const heldFindings = (delivers: boolean): ReadonlyArray<Finding> =>
  delivers
    ? []
    : [
        warning(
          "Deliveries are off: e-mails, webhooks and logout notices wait in the database.",
          "Leave SALLYPORT_DELIVERIES out, unless this is a copy of your data."
        )
      ]

/** The settings that only tests and trials should have. */
const testFindings = ({ testMode, limits, allowPrivateTargets }: Settings): ReadonlyArray<Finding> => [
  ...(testMode
    ? [
        warning(
          "Test mode is on: callers can move the clock, and mails stay in the service.",
          "Leave SALLYPORT_TEST_MODE out where there are real users."
        )
      ]
    : []),
  ...(limits === "all"
    ? []
    : [warning("Rate limits are off.", "Leave SALLYPORT_LIMITS out, unless this is a load test.")]),
  ...(allowPrivateTargets
    ? [
        warning(
          "Webhooks may go to private addresses: whoever creates hooks can reach your network.",
          "Leave SALLYPORT_ALLOW_PRIVATE_TARGETS out, unless you alone create hooks and providers."
        )
      ]
    : [])
]

/** Checks whether a production service has settings for tests or trials, or has deliveries paused. */
export const modes: Check = {
  name: "modes",
  place: "settings",
  run: ({ settings }) => {
    const isPostgres = settings.database._tag === "Postgres"
    const findings = [...heldFindings(settings.delivers), ...(isPostgres ? testFindings(settings) : [])]
    const none = isPostgres ? "No setting for tests is on." : "Test settings are no concern with this database."
    return Effect.succeed(findings.length === 0 ? ok(none) : findings)
  }
}
