import { Effect } from "effect"
import { type Finding, ok, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

/** Whether a setting for tests or trials is on where real users may be. */
export const modes: Check = {
  name: "modes",
  place: "settings",
  run: ({ settings: { database, testMode, limits, allowPrivateTargets } }) => {
    if (database._tag !== "Postgres") return Effect.succeed(ok("Test settings are no concern with this database."))
    const findings: ReadonlyArray<Finding> = [
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
    return Effect.succeed(findings.length === 0 ? ok("No setting for tests is on.") : findings)
  }
}
