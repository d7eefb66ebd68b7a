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
    "Starts the service. It is configured by environment variables such as PORT and DATABASE_URL; sallyport config print shows all of them. The log is text on a terminal and JSON otherwise; with --json, both the log and the startup message are JSON."
  ),
  Command.withShortDescription("Starts the service")
)
