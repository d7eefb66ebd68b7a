import { Effect } from "effect"
import { Command } from "effect/cli"
import { checkHealth } from "#server/HealthCheck"
import { print } from "../Output.ts"

/** Checks whether the service in this environment is ready. Without options, `main.ts` runs it without this framework. */
export const health = Command.make("health", {}, () =>
  Effect.flatMap(checkHealth, (url) => print({ ready: true, url }, `The service at ${url} is ready.`))
).pipe(
  Command.withDescription(
    "Checks whether the service on this machine (at SALLYPORT_OPS_PORT, else PORT) accepts requests: exit code 0 if it does, 1 if not. For health checks of containers and supervisors; needs no shell or curl."
  ),
  Command.withShortDescription("Checks whether the service on this machine is ready")
)
