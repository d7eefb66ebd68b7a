import { inspect } from "node:util"
import { Cause, Console, DateTime, Effect, Exit } from "effect"
import { AsJson } from "./AsJson.ts"
import { WORKER } from "./Command.ts"
import { settings } from "./Config.ts"
import { databaseTodoAtStart } from "./DatabaseAdvice.ts"
import { withSourceLines } from "./SourceLines.ts"

/**
 * Runs the service, in this process or in workers. The modules of the service itself are loaded only where requests are
 * served.
 */
export const serve = Effect.gen(function* () {
  const config = yield* settings
  if (config.workers > 1) {
    const { runPrimary } = yield* Effect.promise(() => import("./workers/Primary.ts"))
    return yield* runPrimary(config)
  }
  const { runAlone } = yield* Effect.promise(() => import("./Run.ts"))
  return yield* runAlone(config)
})

/** Prints why the process ends: as text, or as the last line of a JSON log. */
const printFatal = Effect.fnUntraced(function* (
  message: string,
  fields: { readonly todo?: string | undefined; readonly cause?: string }
) {
  if (!(yield* AsJson)) {
    const { todo, cause } = fields
    return yield* Console.error(cause ?? (todo === undefined ? message : `${message}\n${todo}`))
  }
  const { fatalLine } = yield* Effect.promise(() => import("./LogLines.ts"))
  return yield* Console.error(fatalLine(DateTime.toDateUtc(yield* DateTime.now), message, fields))
})

const served = serve.pipe(Effect.tapError((error) => printFatal(error.message, { todo: databaseTodoAtStart(error) })))

/** If a worker can't start, the primary that started it reports the reason. */
const worker = Effect.flatMap(
  Effect.promise(() => import("./workers/Worker.ts")),
  ({ runWorker }) => runWorker
)

/** Runs the service, in one or several processes, and prints the reason if it fails. `asJson`: whether `--json` was given. */
export const programOf = (command: "serve" | typeof WORKER, asJson: boolean): Effect.Effect<unknown, unknown> =>
  Effect.suspend<unknown, unknown, never>(() => (command === WORKER ? worker : served)).pipe(
    Effect.tapDefect((defect) =>
      printFatal("Internal error in Sallyport.", { cause: withSourceLines(inspect(defect)) })
    ),
    Effect.provideService(AsJson, asJson)
  )

/** The exit code: 0 after a requested shutdown. */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1
