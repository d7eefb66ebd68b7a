import { Clock, Effect } from "effect"
import { RELEASE } from "#http/docs/Release"
import { AsJson, logsAsJson } from "./AsJson.ts"
import type { StartFacts } from "./Banner.ts"
import type { Settings } from "./Config.ts"
import { weakSecrets } from "./SecretStrength.ts"

/** The log lines about a start and a stop. */
export interface Lifecycle {
  readonly ready: (started: StartFacts) => Effect.Effect<void>
  readonly stopping: Effect.Effect<void>
  readonly stopped: Effect.Effect<void>
}

/** Skips a log entry on a terminal, where the banner is shown and users know that they stopped the service. */
const unlessTerminal = (entry: Effect.Effect<void>) =>
  Effect.flatMap(AsJson, (asJson) => (logsAsJson(asJson) ? entry : Effect.void))

/** Warnings that operators should see at the start, for a service that others can reach. */
const warnings = (config: Settings, url: string) =>
  Effect.gen(function* () {
    if (!config.hasPublicUrl) {
      yield* Effect.logWarning(
        "SALLYPORT_PUBLIC_URL is not set, so tokens and emails name this machine. Set it before the first user: it is part of the issuer of every token."
      ).pipe(Effect.annotateLogs({ public_url: url }))
    }
    if (config.testMode) {
      yield* Effect.logWarning(
        "Test mode is on: callers can move the clock, and make emails, webhooks and the database fail. Never run it with real users."
      )
    }
    for (const { setting, name, why } of weakSecrets(config)) {
      yield* Effect.logWarning(
        "A secret can be guessed. Replace it with a random one, such as openssl rand -hex 32."
      ).pipe(Effect.annotateLogs({ setting, reason: `${name} ${why}.` }))
    }
  })

/** Creates the log entries about the main process: the only process, or the primary of several workers. */
export const makeLifecycle = Effect.fnUntraced(function* (config: Settings) {
  const clock = yield* Clock.Clock
  let signal: string | undefined
  let loggedAt = clock.monotonicTimeNanosUnsafe()
  for (const name of ["SIGINT", "SIGTERM"] as const) process.prependOnceListener(name, () => (signal ??= name))
  const isPublic = config.database._tag === "Postgres"
  return {
    ready: ({ url, database, workers }) =>
      Effect.gen(function* () {
        if (isPublic) yield* warnings(config, url)
        if (config.unknownVariables.length > 0)
          yield* Effect.logWarning("Variables that begin with SALLYPORT_ but are not settings are ignored.").pipe(
            Effect.annotateLogs({ variables: config.unknownVariables.join(", ") })
          )
        if (!config.delivers)
          yield* Effect.logWarning(
            "Deliveries are off: emails, webhooks and logout notices wait until SALLYPORT_DELIVERIES is on."
          )
        const port = Number(new URL(url).port)
        const logFields = {
          version: RELEASE,
          node: process.versions.node,
          port: config.port || port,
          database,
          workers
        }
        yield* unlessTerminal(Effect.logInfo("The service is ready.").pipe(Effect.annotateLogs(logFields)))
      }),
    stopping: Effect.suspend(() => {
      loggedAt = clock.monotonicTimeNanosUnsafe()
      const logFields = signal === undefined ? {} : { signal }
      return unlessTerminal(Effect.logInfo("The service is stopping.").pipe(Effect.annotateLogs(logFields)))
    }),
    stopped: Effect.suspend(() => {
      const ms = Math.round(Number(clock.monotonicTimeNanosUnsafe() - loggedAt) / 1e6)
      return unlessTerminal(Effect.logInfo("The service has stopped.").pipe(Effect.annotateLogs({ ms })))
    })
  } satisfies Lifecycle
})
