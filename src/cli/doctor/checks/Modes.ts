import { Effect } from "effect"
import type { Settings } from "#server/Config"
import { type Finding, ok, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

const heldFindings = (delivers: boolean): ReadonlyArray<Finding> =>
  delivers
    ? []
    : [
        warning(
          "Deliveries are off: emails, webhooks and logout notices are held in the database.",
          "Remove SALLYPORT_DELIVERIES, unless this is a copy of your data."
        )
      ]

/** Findings about settings that only tests and trials should have. */
const testFindings = ({ testMode, limits, allowPrivateTargets }: Settings): ReadonlyArray<Finding> => [
  ...(testMode
    ? [
        warning(
          "Test mode is on: callers can move the clock, and emails are not sent.",
          "Remove SALLYPORT_TEST_MODE if there are real users."
        )
      ]
    : []),
  ...(limits === "all"
    ? []
    : [warning("Rate limits are off.", "Remove SALLYPORT_LIMITS, unless this is a load test.")]),
  ...(allowPrivateTargets
    ? [
        warning(
          "Webhooks may go to private addresses, so anyone who creates hooks can reach your network.",
          "Remove SALLYPORT_ALLOW_PRIVATE_TARGETS, unless only you create hooks and providers."
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
    const none = isPostgres ? "No test settings are on." : "Test settings don't matter with this database."
    return Effect.succeed(findings.length === 0 ? ok(none) : findings)
  }
}
