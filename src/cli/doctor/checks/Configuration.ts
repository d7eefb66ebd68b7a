import { Effect } from "effect"
import { ok, problem, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

/** Reports all errors in the settings. */
export const configuration: Check = {
  name: "configuration",
  place: "settings",
  run: ({ problems, settings: { unknownVariables } }) => {
    const findings = [
      ...problems.map((sentence) =>
        problem(sentence, "Correct it, or the service won't start. sallyport config print shows all settings.")
      ),
      ...unknownVariables.map((name) =>
        warning(
          `${name} is not a setting in this release, so it is ignored.`,
          "Remove it, unless another program uses it."
        )
      )
    ]
    return Effect.succeed(findings.length === 0 ? ok("Every setting is valid.") : findings)
  }
}
