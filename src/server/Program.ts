import { inspect } from "node:util"
import { Cause, Console, Effect, Exit } from "effect"
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

const served = serve.pipe(
  Effect.tapError((error) =>
    Effect.flatMap(AsJson, (asJson) => {
      const { message } = error
      const todo = databaseTodoAtStart(error)
      const lines = todo === undefined ? message : `${message}\n${todo}`
      return Console.error(asJson ? JSON.stringify({ error: { happened: message, todo } }) : lines)
    })
  )
)

/** What a worker is refused is told by the process that has started it. */
const worker = Effect.flatMap(
  Effect.promise(() => import("./workers/Worker.ts")),
  ({ runWorker }) => runWorker
)

/** What the process does: it serves, alone or as one of several, and prints why if that fails. `asJson`: with `--json`. */
export const programOf = (command: "serve" | typeof WORKER, asJson: boolean): Effect.Effect<unknown, unknown> =>
  Effect.suspend<unknown, unknown, never>(() => (command === WORKER ? worker : served)).pipe(
    Effect.tapDefect((defect) => Console.error(withSourceLines(inspect(defect)))),
    Effect.provideService(AsJson, asJson)
  )

/** The exit code: 0 after a shutdown that was asked for. */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1
