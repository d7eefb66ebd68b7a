import { Effect } from "effect"
import { GlobalFlag } from "effect/cli"
import { switchFlag } from "./Flags.ts"
import { Screen } from "./Screen.ts"

/** `--json`, which every command has. */
export const AsJson = GlobalFlag.Setting("json")({
  flag: switchFlag("json", "Print the result as JSON")
})

/** Prints the result of a command: `json` with `--json`, otherwise `text`. */
export const print = Effect.fnUntraced(function* (json: unknown, text: string) {
  const screen = yield* Screen
  yield* screen.out(`${(yield* AsJson) ? JSON.stringify(json, undefined, 2) : text}\n`)
})

/** Tells people what is going on, on the standard error; with `--json` nobody reads along. */
export const tell = Effect.fnUntraced(function* (text: string) {
  if (yield* AsJson) return
  yield* (yield* Screen).err(`${text}\n`)
})

/** Rewrites the last line on the standard error, as a progress bar does; only on a terminal. An empty text removes it. */
export const progress = Effect.fnUntraced(function* (text: string) {
  const screen = yield* Screen
  if (screen.errIsTerminal && !(yield* AsJson)) yield* screen.err(`\r\u001b[K${text}`)
})
