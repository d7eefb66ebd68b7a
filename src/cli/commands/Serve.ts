import { Effect } from "effect"
import { Command } from "effect/cli"

/** Runs the service. Only the help is shown from here: `main.ts` starts the service without this framework. */
export const serve = Command.make("serve", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("#server/Program")),
    ({ serve }) => serve
  )
).pipe(
  Command.withDescription(
    "Starts the service, as sallyport does without a command. Its settings are environment variables, such as PORT and DATABASE_URL: run sallyport config print to see them all. The log is text on a terminal and JSON elsewhere; with --json both it and what is printed at the start are JSON."
  ),
  Command.withShortDescription("Starts the service (default)")
)
