import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit } from "effect"
import { run } from "./Run.ts"

run.pipe(
  Effect.tapError((refused) => Console.error(refused.message)),
  Effect.tapDefect((defect) => Console.error(defect)),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
)
