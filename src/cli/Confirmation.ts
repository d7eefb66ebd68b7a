import { Effect } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed, WrongUsage } from "./CommandFailed.ts"
import { switchFlag } from "./Flags.ts"
import { Screen } from "./Screen.ts"
import { visible, visibleLines } from "./Visible.ts"

/** `--yes`, for destructive commands. */
export const Yes = switchFlag("yes", "Don't ask for confirmation").pipe(Flag.withAlias("y"))

/**
 * Continues only if the user types the name of the resource to destroy. `what`: the consequences, as a sentence. Without a
 * terminal, `--yes` is required.
 */
export const confirm = Effect.fnUntraced(function* (what: string, name: string, yes: boolean) {
  if (yes) return
  const consequences = visibleLines(what)
  const screen = yield* Screen
  if (!screen.canAsk) {
    return yield* new WrongUsage({
      happened: `${consequences} This can't be confirmed without a terminal.`,
      todo: "Add --yes to confirm."
    })
  }
  const typed = yield* screen.ask(`${consequences}\nType ${visible(name)} to confirm: `)
  if (typed !== undefined && typed.trim() === visible(name).trim()) return
  return yield* new CommandFailed({ happened: "The name doesn't match.", done: "Nothing was changed." })
})
