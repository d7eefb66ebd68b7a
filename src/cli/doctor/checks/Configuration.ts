import { Effect } from "effect"
import { ok, problem } from "../Finding.ts"
import type { Check } from "../Subject.ts"

/** Everything that is wrong with the settings. */
export const configuration: Check = {
  name: "configuration",
  place: "settings",
  run: ({ problems }) =>
    Effect.succeed(
      problems.length === 0
        ? ok("Every setting is valid.")
        : problems.map((sentence) =>
            problem(sentence, "Correct it: the service doesn't start so. sallyport config print shows every setting.")
          )
    )
}
