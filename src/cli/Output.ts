import { Effect } from "effect"
import { GlobalFlag } from "effect/cli"
import { switchFlag } from "./Flags.ts"
import { Screen } from "./Screen.ts"

/** `--json`, available for every command. */
export const AsJson = GlobalFlag.Setting("json")({
  flag: switchFlag("json", "Print the result as JSON")
})

/** Prints a command's result: `json` with `--json`, otherwise `text`. */
export const print = Effect.fnUntraced(function* (json: unknown, text: string) {
  const screen = yield* Screen
  yield* screen.out(`${(yield* AsJson) ? JSON.stringify(json, undefined, 2) : text}\n`)
})

/** Prints a status message to stderr; nothing with `--json`. */
export const printStatus = Effect.fnUntraced(function* (text: string) {
  if (yield* AsJson) return
  yield* (yield* Screen).err(`${text}\n`)
})

/** Updates the progress line on stderr; only on a terminal. An empty text removes it. */
export const showProgress = Effect.fnUntraced(function* (text: string) {
  const screen = yield* Screen
  if (screen.errIsTerminal && !(yield* AsJson)) yield* screen.err(`\r\u001b[K${text}`)
})
