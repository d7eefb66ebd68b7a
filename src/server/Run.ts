import { Console, Data, Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { ApiKeys } from "#core/access/ApiKeys"
import { Entropy } from "#core/Entropy"
import { Health } from "#core/Health"
import { KeyRing } from "#core/keys/KeyRing"
import { secretText } from "#core/Tokens"
import { Connections, layer as database } from "#sql/Database"
import { banner } from "./Banner.ts"
import { type Settings, settings } from "./Config.ts"
import { keptSecret } from "./KeptSecret.ts"
import { sallyport } from "./Sallyport.ts"
import { telemetry } from "./Telemetry.ts"
import { serve } from "./WebServer.ts"

/** The service can't listen where it was told to. */
class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

/** How long a node that is told to stop still serves, so that balancers see it is not ready. Embedded: it has none. */
const DRAIN = "2 seconds"

const encryptionKeys = Effect.fnUntraced(function* ({ secrets, database: target }: Settings) {
  if (secrets.length > 0) return secrets
  const entropy = yield* Entropy
  // Nothing outlives a database in memory, so neither need its key.
  return [target._tag === "Embedded" ? yield* keptSecret(target.dataDir, entropy) : Redacted.make(secretText(entropy))]
}, Effect.provide(Entropy.layer))

const started = Effect.fnUntraced(function* (config: Settings) {
  const { address } = yield* HttpServer.HttpServer
  const { describe, engine } = yield* Connections
  const apiKeys = yield* ApiKeys
  const health = yield* Health
  yield* (yield* KeyRing).rewrap
  const rootKey = yield* apiKeys.ensureRoot(config.rootKey)
  const port = address._tag === "UnixPathAddress" ? config.port : address.port
  const url = config.port === port ? config.publicUrl : `http://localhost:${port}`
  yield* Console.log(banner({ url, database: describe, rootKey }))
  return yield* Effect.never.pipe(
    Effect.onInterrupt(() => Effect.andThen(health.drain, engine === "postgres" ? Effect.sleep(DRAIN) : Effect.void))
  )
})

/** Runs the service of this process's environment until it is interrupted. */
export const run = Effect.gen(function* () {
  const config = yield* settings
  const secrets = yield* encryptionKeys(config)
  const service = serve(sallyport({ ...config, secrets }), config).pipe(
    Layer.provideMerge(database(config.database)),
    Layer.provide(telemetry(config.collector)),
    Layer.provide(Logger.layer([Logger.withConsoleError(Logger.formatJson)]))
  )
  return yield* Layer.build(service).pipe(
    Effect.flatMap((context) => Effect.provideContext(started(config), context)),
    Effect.scoped
  )
}).pipe(
  Effect.catchTag("ServeError", (error) =>
    Effect.fail(new CannotListen({ message: `The service can't listen: ${String(error.cause)}` }))
  )
)
