import { Effect } from "effect"
import { Command } from "effect/cli"
import { checkHealth } from "#server/HealthCheck"
import { print } from "../Output.ts"

/** Checks whether the service in this environment is ready. Without options, `main.ts` runs it without this framework. */
export const health = Command.make("health", {}, () =>
  Effect.flatMap(checkHealth, (url) => print({ ready: true, url }, `The service at ${url} is ready.`))
).pipe(
  Command.withDescription(
    "Asks the service of this environment, on this machine at SALLYPORT_OPS_PORT, else at PORT, whether it takes requests: exit code 0 if it does, 1 if not. For health checks of containers and supervisors, which need no shell and no curl for it."
  ),
  Command.withShortDescription("Asks the service on this machine whether it is ready")
)
