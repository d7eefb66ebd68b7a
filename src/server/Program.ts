import { inspect } from "node:util"
import { Cause, Console, Effect, Exit } from "effect"
import { RELEASE } from "#http/docs/Release"
import { HELP, UnknownCommand, WORKER } from "./Command.ts"
import { settings } from "./Config.ts"
import { withSourceLines } from "./SourceLines.ts"

const [, , command] = process.argv

/** Runs the service. The process that only watches over others does not load it. */
const serve = Effect.gen(function* () {
  const config = yield* settings
  if (config.workers > 1) {
    const { runPrimary } = yield* Effect.promise(() => import("./workers/Primary.ts"))
    return yield* runPrimary(config)
  }
  const { runAlone } = yield* Effect.promise(() => import("./Run.ts"))
  return yield* runAlone(config)
})

const asked = Effect.gen(function* () {
  if (command === undefined) return yield* serve
  if (command === "--version") return yield* Console.log(`Sallyport ${RELEASE}`)
  if (command === "--help") return yield* Console.log(HELP)
  if (command === "secrets") {
    const { reportSecrets } = yield* Effect.promise(() => import("./SecretsReport.ts"))
    return yield* reportSecrets
  }
  return yield* new UnknownCommand({ command })
}).pipe(Effect.tapError((refused) => Console.error(refused.message)))

/** What a worker is refused is told by the process that has started it. */
const worker = Effect.flatMap(
  Effect.promise(() => import("./workers/Worker.ts")),
  ({ runWorker }) => runWorker
)

/** What the process does: the command it was started with, and what it prints if that fails. */
export const program: Effect.Effect<unknown, unknown> = (command === WORKER ? worker : asked).pipe(
  Effect.tapDefect((defect) => Console.error(withSourceLines(inspect(defect))))
)

/** The exit code: 0 after a shutdown that was asked for. */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1
