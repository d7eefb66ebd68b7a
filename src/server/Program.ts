import { inspect } from "node:util"
import { Cause, Console, DateTime, Effect, Exit } from "effect"
import { AsJson } from "./AsJson.ts"
import { WORKER } from "./Command.ts"
import { settings } from "./Config.ts"
import { databaseTodoAtStart } from "./DatabaseTodo.ts"
import { withSourceLines } from "./SourceLines.ts"

/** Runs the service. The process that only watches over others does not load it. */
export const serve = Effect.gen(function* () {
  const config = yield* settings
  if (config.workers > 1) {
    const { runPrimary } = yield* Effect.promise(() => import("./workers/Primary.ts"))
    return yield* runPrimary(config)
  }
  const { runAlone } = yield* Effect.promise(() => import("./Run.ts"))
  return yield* runAlone(config)
})

/** Prints why the process ends: for people, or as the last line of the log where that is JSON. */
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

/** What a worker is refused is told by the process that has started it. */
const worker = Effect.flatMap(
  Effect.promise(() => import("./workers/Worker.ts")),
  ({ runWorker }) => runWorker
)

/** What the process does: it serves, alone or as one of several, and prints why if that fails. `asJson`: with `--json`. */
export const programOf = (command: "serve" | typeof WORKER, asJson: boolean): Effect.Effect<unknown, unknown> =>
  Effect.suspend<unknown, unknown, never>(() => (command === WORKER ? worker : served)).pipe(
    Effect.tapDefect((defect) =>
      printFatal("Sallyport has made a mistake.", { cause: withSourceLines(inspect(defect)) })
    ),
    Effect.provideService(AsJson, asJson)
  )

/** The exit code: 0 after a shutdown that was asked for. */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1
