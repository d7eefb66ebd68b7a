import { Clock, Effect } from "effect"
import { AsJson, printStatus, showProgress as rewrite } from "../Output.ts"
import { Screen } from "../Screen.ts"
import { type Progress, progressJson, progressLine, progressSentence } from "./ProgressBar.ts"

/** How often the bar on a terminal is updated, and how often a line is written elsewhere. */
const [BAR_INTERVAL, LINE_INTERVAL] = ["200 millis", "5 seconds"] as const

/**
 * Shows the progress of a transfer until the scope closes: as a bar on a terminal, otherwise as a line every few
 * seconds. With `--json`, prints JSON lines to stdout. `at`: returns the progress at a time.
 */
export const showProgress = Effect.fnUntraced(function* (
  verb: string,
  at: (millis: number) => Omit<Progress, "seconds">
) {
  const screen = yield* Screen
  const isJson = yield* AsJson
  const began = yield* Clock.currentTimeMillis
  const isDrawn = screen.errIsTerminal && !isJson
  const show = Effect.gen(function* () {
    const millis = yield* Clock.currentTimeMillis
    const progress = { ...at(millis), seconds: (millis - began) / 1000 }
    if (isJson) yield* screen.out(`${JSON.stringify(progressJson(progress))}\n`)
    else if (isDrawn) yield* rewrite(progressLine(verb, progress, screen.columns))
    else yield* printStatus(progressSentence(progress))
  })
  yield* Effect.addFinalizer(() => (isDrawn ? rewrite("") : Effect.void))
  yield* Effect.sleep(isDrawn ? BAR_INTERVAL : LINE_INTERVAL).pipe(
    Effect.andThen(show),
    Effect.forever,
    Effect.forkScoped
  )
})

/** Prints a line while progress is shown. On a terminal, the bar moves below the line. */
export const remark = Effect.fnUntraced(function* (text: string) {
  yield* rewrite("")
  yield* printStatus(text)
})
