import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit } from "effect"
import { UnknownCommand } from "./Command.ts"
import { run } from "./Run.ts"
import { reportSecrets } from "./SecretsReport.ts"

const [, , command] = process.argv

const asked = Effect.gen(function* () {
  if (command === undefined) return yield* run
  if (command === "secrets") return yield* reportSecrets
  return yield* new UnknownCommand({ command })
})

asked.pipe(
  Effect.tapError((refused) => Console.error(refused.message)),
  Effect.tapDefect((defect) => Console.error(defect)),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
)
