import { Clock, Effect } from "effect"
import { AsJson, progress as rewrite, tell } from "../Output.ts"
import { Screen } from "../Screen.ts"
import { type Progress, progressJson, progressLine, progressSentence } from "./ProgressBar.ts"

/** How often the bar on a terminal is drawn, and how often a line is written anywhere else. */
const [DRAWN, WRITTEN] = ["200 millis", "5 seconds"] as const

/**
 * Shows how far a transfer has come for as long as the scope is open: a bar on a terminal, elsewhere a line every few seconds, with
 * `--json` as JSON on the standard output. `at`: how far it has come at a time.
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
    else yield* tell(progressSentence(progress))
  })
  yield* Effect.addFinalizer(() => (isDrawn ? rewrite("") : Effect.void))
  yield* Effect.sleep(isDrawn ? DRAWN : WRITTEN).pipe(Effect.andThen(show), Effect.forever, Effect.forkScoped)
})

/** A line between the progress: on a terminal in place of the bar, which comes again below. */
export const remark = Effect.fnUntraced(function* (text: string) {
  yield* rewrite("")
  yield* tell(text)
})
